/** Puts the engine under a known load and measures how it fares: what `bench` and the benchmarks are made of. */

import type { EncodeOptions, Engine } from '../inference/core/engine-types.ts';
import { photoMs } from '../inference/core/photo-ms.ts';
import { readDeviceMemory } from '../inference/device-memory.ts';
import { sampleOperation } from '../judging/operation.ts';
import { percentile } from './percentile.ts';

export type LoadFigures = Readonly<{
  meanMs: number;
  p50: number;
  p95: number;
  p99: number;
  perSecond: number;
  /** Of all hosts together at the end; null where it cannot be read. */
  rssMb: number | null;
  /** null where it cannot be read. */
  deviceMemoryMb: number | null;
  failures: number;
}>;

export type Load = Readonly<{
  /** Photos under way at once, each client sending the next when it has its answer. */
  clients: number;
  priority: NonNullable<EncodeOptions['priority']>;
  /** Ends when so many photos are judged and so long a time has passed; ms. */
  atLeast: Readonly<{ photos: number; ms: number }>;
  signal?: AbortSignal;
}>;

const bytesPerMb = 2 ** 20;

export const figuresOf = (
  ms: readonly number[],
  seconds: number,
): Pick<LoadFigures, 'meanMs' | 'p50' | 'p95' | 'p99' | 'perSecond'> => {
  const sorted = ms.toSorted((a, b) => a - b);
  return {
    meanMs: sorted.reduce((sum, one) => sum + one, 0) / Math.max(1, sorted.length),
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    perSecond: seconds > 0 ? sorted.length / seconds : 0,
  };
};

/** Latencies in ms in the order they came, and the rest. */
type Measured = Readonly<{ ms: readonly number[]; seconds: number; failures: number }>;

/**
 * `ask` has one photo judged for a client, and answers how many ms that took, or null where it failed. Photos are taken
 * in turn, again and again.
 */
export const runClients = async <P>(
  ask: (photo: P, client: string) => Promise<number | null>,
  photos: readonly P[],
  { clients, atLeast, signal }: Omit<Load, 'priority'>,
): Promise<Measured> => {
  const ms: number[] = [];
  let sent = 0;
  let failures = 0;
  const startedAt = performance.now();
  const wantsMore = () => !signal?.aborted && (sent < atLeast.photos || performance.now() - startedAt < atLeast.ms);
  const client = async (name: string): Promise<void> => {
    while (wantsMore()) {
      const photo = photos[sent % photos.length]!;
      sent += 1;
      const took = await ask(photo, name);
      if (took === null) failures += 1;
      else ms.push(took);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, i) => client(`load-${i}`)));
  return { ms, seconds: (performance.now() - startedAt) / 1000, failures };
};

export const loadEngine = (engine: Engine, photos: readonly string[], load: Load): Promise<Measured> => {
  const { priority, signal } = load;
  const operation = sampleOperation(engine.info().adapter);
  const ask = async (path: string, client: string) => {
    const result = await engine.encode(path, { operation, priority, client, ...(signal && { signal }) });
    return result.ok ? photoMs(result.info, result.timing, priority) : null;
  };
  return runClients(ask, photos, load);
};

export const measureLoad = async (engine: Engine, photos: readonly string[], load: Load): Promise<LoadFigures> => {
  const { ms, seconds, failures } = await loadEngine(engine, photos, load);
  const rss = engine.stats().hosts.reduce((sum, { rssBytes }) => sum + (rssBytes ?? 0), 0);
  const onDevice = await readDeviceMemory(engine.info().device);
  return {
    ...figuresOf(ms, seconds),
    rssMb: rss / bytesPerMb,
    deviceMemoryMb: onDevice && onDevice.usedBytes / bytesPerMb,
    failures,
  };
};
