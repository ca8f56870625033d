/** The engine as a window shows it: what was asked for, what really runs, and how it fares. Pure. */

import type { Degradation } from '../contract/degradation.ts';
import type { VouchError } from '../contract/errors.ts';
import type { Device } from '../contract/labels.ts';
import type { Settings } from '../contract/settings.ts';
import type { EngineState, Run } from '../contract/views.ts';
import type { EngineStats } from '../inference/core/engine-types.ts';
import type { LoadedInfo } from '../inference/protocol.ts';
import type { Judging } from '../judging/judging.ts';
import { percentile } from '../measure/percentile.ts';

export type EngineFacts = Readonly<{
  status: EngineState['status'];
  error: VouchError | null;
  settings: Settings;
  judging: Pick<Judging, 'pack' | 'rescorer'> | null;
  info: LoadedInfo | null;
  stats: EngineStats | null;
  run: Run | null;
  decoder: string | null;
  memory: EngineState['memory'];
}>;

/** Devices that Vouch knows how to use on this kind of machine. */
const devicesOf = (platform: string): readonly Device[] => {
  if (platform === 'darwin') return ['cpu', 'coreml', 'webgpu'];
  if (platform === 'win32') return ['cpu', 'dml', 'webgpu', 'cuda', 'tensorrt'];
  return ['cpu', 'webgpu', 'cuda', 'tensorrt'];
};

/** Nearest-rank percentiles; null for no values. */
export const latencyOf = (latencies: readonly number[]): EngineState['latencyMs'] => {
  if (latencies.length === 0) return null;
  const sorted = latencies.toSorted((a, b) => a - b);
  const mean = sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length;
  return { mean, p50: percentile(sorted, 50), p95: percentile(sorted, 95), p99: percentile(sorted, 99) };
};

const isFallback = ({ code }: Degradation): boolean => code === 'device_fallback';

/** `upAt`: since when the engine runs on what it runs on. */
export const engineState = (facts: EngineFacts, upAt: number): EngineState => {
  const { status, error, settings, judging, info, stats, run, decoder, memory } = facts;
  const { engine } = settings;
  const imageHosts = stats?.hosts.filter(({ kind }) => kind === 'image') ?? [];
  const inference = stats?.hosts.find(({ kind }) => kind === 'inference');
  const size = stats?.batch ?? (engine.batch === 'auto' ? 1 : engine.batch);
  const running = run?.status === 'running' ? run : null;
  const inputs = judging?.pack.manifest.inputs ?? [];
  return {
    status,
    error,
    model: judging && {
      id: judging.pack.manifest.id,
      version: judging.pack.manifest.version,
      sha256: judging.pack.sha256,
      kind: judging.rescorer.pack.kind,
      licence: judging.pack.manifest.licence,
      languages: judging.pack.manifest.languages,
    },
    device: info && { ...info.device, requested: engine.device },
    precision: info &&
      judging && {
        requested: engine.precision,
        used: info.precision,
        reason: info.precisionReason,
        available: judging.pack.manifest.precisions,
      },
    inputSize: info && { used: info.inputSize, available: inputs.map(({ size }) => size) },
    devices: devicesOf(process.platform),
    runtime: info?.runtime ?? null,
    threads: info?.threads ?? engine.threads,
    statementCache: judging?.rescorer.statementCache() ?? null,
    batch: {
      mode: engine.batch === 'auto' ? 'auto' : 'fixed',
      size,
      max: Math.max(size, ...inputs.map(({ maxBatch }) => maxBatch)),
      mean: stats && stats.batches > 0 ? stats.meanBatch : null,
      advice: stats?.advice ?? null,
    },
    maxDelayMs: engine.maxDelayMs,
    queue: { waiting: stats?.queued ?? 0, running: stats?.running ?? 0 },
    photosPerSecond: running?.photosPerSecond ?? 0,
    pairsPerSecond: running?.pairsPerSecond ?? 0,
    latencyMs: stats && latencyOf(stats.latencies),
    memory,
    degradation: [
      ...(info && info.device.fallbackReason !== null && !stats?.degradation.some(isFallback)
        ? [{ code: 'device_fallback', cause: 'device', since: upAt } as const]
        : []),
      ...(stats?.degradation ?? []),
    ],
    pastDegradation: stats?.pastDegradation ?? [],
    hosts: {
      inference:
        inference?.pid === undefined
          ? null
          : { pid: inference.pid, rssBytes: inference.rssBytes ?? 0, restarts: inference.restarts },
      images: {
        count: imageHosts.length,
        restarts: imageHosts.reduce((sum, { restarts }) => sum + restarts, 0),
        decoder,
      },
    },
  };
};
