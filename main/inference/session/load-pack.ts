/** Finds a device that proves itself for a pack, and opens the pack's graphs on it. Runs in a session worker. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import type { Device, PassedOver, Precision } from '../../contract/labels.ts';
import type { PackInput, PackManifest } from '../../contract/pack.ts';
import type { PrecisionReason } from '../../contract/precision.ts';
import type { Adapter, RunGraph } from '../../contract/seam.ts';
import { openAdapter } from '../../packs/open-adapter.ts';
import { readPack } from '../../packs/packs.ts';
import { precisionOn } from '../../packs/precision-choice.ts';
import type { LoadedInfo } from '../protocol.ts';
import type { SessionJoin, SessionLoad, SessionReply } from '../worker-protocol.ts';
import { candidates, DeviceMissing, type LanePlan, missingBackend, planLanes } from './devices.ts';
import { indexProblem } from './providers.ts';
import {
  graphFile,
  type OpenOptions,
  openProven,
  openSessions,
  openWarm,
  type Proven,
  type Runtime,
  runtimeVersion,
} from './sessions.ts';

type LoadFailure = Extract<SessionReply, { kind: 'load_failed' }>;
export class LoadError extends Error {
  readonly code: LoadFailure['code'];
  constructor(code: LoadFailure['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const saysOutOfMemory = (detail: string): boolean =>
  /bad_alloc|out of memory|failed to allocate|memory allocation|cudaErrorMemoryAllocation/i.test(detail);

export const loadRuntime = async (): Promise<Runtime> => {
  try {
    return await import('onnxruntime-node');
  } catch (error) {
    throw new LoadError('runtime_missing', messageOf(error));
  }
};

type OpenedPack = Readonly<{ manifest: PackManifest; input: PackInput; adapter: Adapter }>;

const openPack = async ({ packDir, inputSize }: SessionLoad | SessionJoin): Promise<OpenedPack> => {
  try {
    const pack = readPack(packDir);
    const input = pack.manifest.inputs.find(({ size }) => size === inputSize);
    if (!input) throw new Error(`the pack has no input size ${inputSize}`);
    return { manifest: pack.manifest, input, adapter: await openAdapter(pack, inputSize) };
  } catch (error) {
    throw new LoadError('pack_broken', messageOf(error));
  }
};

const checkFiles = (packDir: string, adapter: Adapter, precision: Precision): void => {
  for (const graph of adapter.photoGraphs) {
    const file = graphFile(graph, precision);
    if (!existsSync(join(packDir, file))) throw new LoadError('pack_broken', `the pack has no ${file}`);
  }
};

const runtimeLibraries = (): readonly string[] => {
  const root = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
  const dir = join(root, 'bin', 'napi-v6', process.platform, process.arch);
  return existsSync(dir) ? readdirSync(dir) : [];
};

type Opened = Proven &
  Readonly<{
    device: Device;
    plan: LanePlan;
    precision: Precision;
    precisionReason: PrecisionReason;
    fallbackReason: string | null;
    passedOver: readonly PassedOver[];
  }>;

const weightBytes = (packDir: string, adapter: Adapter, precision: Precision): number =>
  adapter.photoGraphs.reduce((sum, graph) => sum + statSync(join(packDir, graphFile(graph, precision))).size, 0);

/** The number is that of the device asked for; there is one CPU. */
const indexOf = (load: SessionLoad, device: Device): number =>
  device === load.device && device !== 'cpu' ? load.deviceIndex : 0;

/** @throws Error with the reason why the device cannot be used. */
const openOn = async (
  ort: Runtime,
  { manifest, input, adapter }: OpenedPack,
  load: SessionLoad,
  device: Device,
): Promise<Omit<Opened, 'fallbackReason' | 'passedOver'>> => {
  const { packDir, graphCache } = load;
  const deviceIndex = indexOf(load, device);
  const missing = missingBackend(device, ort.listSupportedBackends(), runtimeLibraries());
  if (missing) throw new DeviceMissing(device, missing);
  const problem = indexProblem(device, deviceIndex);
  if (problem) throw new Error(problem);
  const { precision, reason: precisionReason } = precisionOn(device, load.precision, load.choices, manifest.precisions);
  checkFiles(packDir, adapter, precision);
  const threads = load.threads || availableParallelism();
  const plan = planLanes(device, threads, weightBytes(packDir, adapter, precision));
  const { sha256 } = manifest;
  const { maxBatch } = input;
  const options = { packDir, device, deviceIndex, precision, graphCache, sha256, maxBatch };
  const proven = await openProven(ort, adapter, { ...options, threads: plan.threadsPerLane });
  if (proven.convincing) return { ...proven, device, plan, precision, precisionReason };
  await proven.sessions.close();
  const { nodesOnDevice, nodesInAll, maxDifference } = proven.proof;
  throw new Error(
    `it ran ${nodesOnDevice} of ${nodesInAll} nodes and differs from the CPU by ${maxDifference.toPrecision(2)}`,
  );
};

/** The best candidate that proves itself; only the CPU must. */
const openBest = async (ort: Runtime, pack: OpenedPack, load: SessionLoad): Promise<Opened> => {
  const passedOver: PassedOver[] = [];
  const reasons = () => passedOver.map(({ device, reason }) => `${device}: ${reason}`);
  for (const device of candidates(load.device, process.platform)) {
    try {
      const opened = await openOn(ort, pack, load, device);
      const fallbackReason = load.device === 'auto' ? null : (reasons()[0] ?? null);
      return { ...opened, fallbackReason, passedOver };
    } catch (error) {
      if (error instanceof LoadError) throw error;
      const detail = messageOf(error);
      // The CPU is always there: what it cannot run is the pack's fault, unless there is no memory for it.
      if (device === 'cpu' && !saysOutOfMemory(detail)) throw new LoadError('pack_broken', detail);
      passedOver.push({ device, reason: detail, ...(error instanceof DeviceMissing && { cause: error.missing }) });
    }
  }
  throw new LoadError('device_unavailable', reasons().join('; '));
};

export type Loaded = Readonly<{
  adapter: Adapter;
  run: RunGraph;
  precision: Precision;
  /** The same in fp32, opened when the first output is not finite; null where this is fp32 or the pack has none. */
  inFp32: (() => Promise<RunGraph>) | null;
}>;
type Described = Readonly<{ info: LoadedInfo; input: PackInput }>;

const fp32For = (
  ort: Runtime,
  { manifest, adapter }: OpenedPack,
  options: Omit<OpenOptions, 'graphs' | 'profile' | 'sha256'>,
): Loaded['inFp32'] => {
  if (options.precision === 'fp32' || !manifest.precisions.includes('fp32')) return null;
  let opening: Promise<RunGraph> | undefined;
  return () => {
    const { sha256 } = manifest;
    opening ??= openSessions(ort, {
      ...options,
      precision: 'fp32',
      sha256,
      graphs: adapter.photoGraphs,
      profile: null,
    }).then(({ run }) => run);
    return opening;
  };
};

export const openJoining = async (request: SessionJoin): Promise<Loaded> => {
  const { kind, inputSize: _, ...options } = request;
  const pack = await openPack(request);
  const ort = await loadRuntime();
  const { adapter, manifest } = pack;
  const sessions = await openWarm(ort, adapter, { ...options, sha256: manifest.sha256 });
  return { adapter, run: sessions.run, precision: request.precision, inFp32: fp32For(ort, pack, options) };
};

export const openFirst = async (request: SessionLoad): Promise<Loaded & Described> => {
  const pack = await openPack(request);
  const { input, adapter } = pack;
  const ort = await loadRuntime();
  const { sessions, proof, device, plan, precision, precisionReason, fallbackReason, passedOver } = await openBest(
    ort,
    pack,
    request,
  );
  const deviceIndex = indexOf(request, device);
  const { packDir, graphCache } = request;
  return {
    adapter,
    run: sessions.run,
    precision,
    inFp32: fp32For(ort, pack, {
      packDir,
      device,
      deviceIndex,
      precision,
      threads: plan.threadsPerLane,
      graphCache,
    }),
    input,
    info: {
      device: { requested: request.device, used: device, index: deviceIndex, proof, fallbackReason, passedOver },
      precision,
      inputSize: input.size,
      precisionReason,
      runtime: runtimeVersion(ort),
      graphs: sessions.origin,
      threads: plan.lanes * plan.threadsPerLane,
      lanes: plan.lanes,
      adapter: {
        kind: adapter.kind,
        version: adapter.version,
        views: adapter.views,
        answers: adapter.ask !== undefined,
      },
    },
  };
};
