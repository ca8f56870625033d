/** Opens the graphs of a pack on one device and makes the device prove itself. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Ort from 'onnxruntime-node';
import type { Device, Precision } from '../../contract/labels.ts';
import type { Pair } from '../../contract/operation.ts';
import type { Adapter, PhotoBatch, RunGraph, Tensor, TensorType } from '../../contract/seam.ts';
import { paddedSizes } from '../batch-size.ts';
import type { DeviceProof } from '../protocol.ts';
import { type GraphOrigin, type OpenedGraph, openCached } from './graph-cache.ts';
import { type Placement, placementIn } from './profile.ts';
import { deviceOptions, warmsSizes } from './providers.ts';

export type Runtime = typeof Ort;

export type OpenOptions = Readonly<{
  packDir: string;
  graphs: readonly string[];
  device: Device;
  deviceIndex: number;
  precision: Precision;
  threads: number;
  /** Folder of optimised graphs, or null to do without; only the CPU uses it. */
  graphCache: string | null;
  /** Hashes that the manifest pins, by file of the pack. */
  sha256: Readonly<Record<string, string>>;
  /** Prefix of the profiles to write, or null for none. */
  profile: string | null;
}>;

export type Sessions = Readonly<{
  run: RunGraph;
  /** `cached` only if every graph was. */
  origin: GraphOrigin;
  endProfiling: () => void;
  close: () => Promise<void>;
}>;

/** Thrown when an output holds NaN or an infinity: never a verdict. */
export class NotFinite extends Error {}

export const graphFile = (graph: string, precision: Precision): string =>
  join('onnx', precision === 'fp32' ? `${graph}.onnx` : `${graph}_${precision}.onnx`);

/** x * 0 is NaN for NaN and infinities, else 0; four sums at a time keep the pipeline full. */
const allFinite = (values: Float32Array): boolean => {
  const whole = values.length - (values.length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    a += values[i]! * 0;
    b += values[i + 1]! * 0;
    c += values[i + 2]! * 0;
    d += values[i + 3]! * 0;
  }
  for (let i = whole; i < values.length; i += 1) a += values[i]! * 0;
  return a + b + c + d === 0;
};

const tensorTypes: readonly TensorType[] = ['uint8', 'float32', 'int32', 'int64'];

const fromRuntime = (graph: string, name: string, value: Ort.Tensor): Tensor => {
  const type = tensorTypes.find((known) => known === value.type);
  if (!type) throw new Error(`output ${name} of ${graph} is ${value.type}, which no adapter can read`);
  const data = value.data as Tensor['data'];
  if (data instanceof Float32Array && !allFinite(data)) throw new NotFinite(`output ${name} of ${graph} is not finite`);
  return { type, dims: value.dims, data };
};

/**
 * Waiting threads must not spin: the image hosts need the cores. Measured on two busy cores, spinning halves the rate.
 */
const sessionOptions = (options: OpenOptions, graph: string): Ort.InferenceSession.SessionOptions => ({
  ...deviceOptions(options.device, options.deviceIndex),
  intraOpNumThreads: options.threads,
  interOpNumThreads: 1,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
  logSeverityLevel: 3,
  ...(options.profile !== null && { enableProfiling: true, profileFilePrefix: `${options.profile}-${graph}` }),
});

export const runtimeVersion = (ort: Runtime): string =>
  `onnxruntime ${ort.env.versions.node ?? ort.env.versions.common}`;

const openGraph = async (ort: Runtime, options: OpenOptions, graph: string): Promise<OpenedGraph> => {
  const { packDir, precision, device, graphCache, sha256 } = options;
  const file = graphFile(graph, precision);
  const source = join(packDir, file);
  const settings = sessionOptions(options, graph);
  const graphSha256 = sha256[file.replaceAll('\\', '/')];
  if (device !== 'cpu' || graphCache === null || graphSha256 === undefined) {
    return { session: await ort.InferenceSession.create(source, settings), origin: 'original' };
  }
  const key = { graphSha256, runtime: runtimeVersion(ort), precision };
  const open = (path: string, how: typeof settings) => ort.InferenceSession.create(path, how);
  return openCached(graphCache, key, source, open, settings);
};

export const openSessions = async (ort: Runtime, options: OpenOptions): Promise<Sessions> => {
  const sessions = new Map<string, Ort.InferenceSession>();
  const origins: GraphOrigin[] = [];
  for (const graph of options.graphs) {
    const { session, origin } = await openGraph(ort, options, graph);
    sessions.set(graph, session);
    origins.push(origin);
  }
  return {
    origin: origins.find((origin) => origin !== 'cached') ?? 'cached',
    async run(graph, inputs) {
      const session = sessions.get(graph);
      if (!session) throw new Error(`the pack has no graph ${graph}`);
      const feeds: Record<string, Ort.Tensor> = {};
      for (const [name, { type, data, dims }] of Object.entries(inputs)) {
        feeds[name] = new ort.Tensor(type, data as Uint8Array, dims);
      }
      const outputs = await session.run(feeds);
      return Object.fromEntries(
        Object.entries(outputs).map(([name, value]) => [name, fromRuntime(graph, name, value as Ort.Tensor)]),
      );
    },
    endProfiling: () => {
      for (const session of sessions.values()) session.endProfiling();
    },
    close: async () => {
      for (const session of sessions.values()) await session.release();
    },
  };
};

/** Smooth and noisy patches that do not change from run to run. */
export const probeBatch = (adapter: Adapter, size = 1): PhotoBatch => ({
  size,
  views: Object.fromEntries(
    adapter.views.map(({ id, width, height }) => {
      const data = new Uint8Array(size * width * height * 3);
      let state = 1;
      for (let i = 0; i < data.length; i += 1) {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        const y = Math.floor(i / (width * 3));
        data[i] = y % height < height / 2 ? (i >> 3) & 255 : state >>> 24;
      }
      return [id, data];
    }),
  ),
});

type Probe = Readonly<{ outputs: readonly Tensor[]; ms: number }>;

const probe = async (adapter: Adapter, run: RunGraph, size = 1): Promise<Probe> => {
  const outputs: Tensor[] = [];
  const recording: RunGraph = async (graph, inputs) => {
    const result = await run(graph, inputs);
    outputs.push(...Object.values(result));
    return result;
  };
  const batch = probeBatch(adapter, size);
  const startedAt = performance.now();
  if (adapter.kind === 'separable') await adapter.encodePhotos(batch, recording);
  else await adapter.judgePairs(batch, new Array<Pair>(size).fill({ text: 'a photo' }), recording);
  return { outputs, ms: performance.now() - startedAt };
};

/** The largest difference, relative to values above 1; infinite if the shapes differ. */
const difference = (a: readonly Tensor[], b: readonly Tensor[]): number => {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (const [k, left] of a.entries()) {
    const right = b[k]!;
    if (left.data.length !== right.data.length) return Number.POSITIVE_INFINITY;
    for (let i = 0; i < left.data.length; i += 1) {
      const [x, y] = [Number(left.data[i]), Number(right.data[i])];
      largest = Math.max(largest, Math.abs(x - y) / Math.max(1, Math.abs(y)));
    }
  }
  return largest;
};

/** How far two devices may differ, on outputs of about 1: rounding, and TF32 or half precision inside. */
const tolerance: Readonly<Record<Precision, number>> = { fp32: 0.01, fp16: 0.05, bf16: 0.1, int8: 0.1 };
/** Shape arithmetic may stay on the CPU. */
const shareOnDevice = 0.5;

const readPlacement = (dir: string, device: Device): Placement => {
  const total = { nodesOnDevice: 0, nodesInAll: 0 };
  for (const name of readdirSync(dir)) {
    const found = placementIn(readFileSync(join(dir, name), 'utf8'), device);
    total.nodesOnDevice += found.nodesOnDevice;
    total.nodesInAll += found.nodesInAll;
  }
  return total;
};

const openProfiled = async (ort: Runtime, adapter: Adapter, options: Omit<OpenOptions, 'profile'>) => {
  const dir = mkdtempSync(join(tmpdir(), 'vouch-probe-'));
  try {
    const sessions = await openSessions(ort, { ...options, profile: join(dir, 'run') });
    const first = await probe(adapter, sessions.run);
    sessions.endProfiling();
    return { sessions, first, placement: readPlacement(dir, options.device) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

/** Runs every size that batches will be padded to, where the device prepares itself anew for each. */
const warm = async (adapter: Adapter, { run }: Sessions, device: Device, maxBatch: number): Promise<void> => {
  if (!warmsSizes(device)) return;
  for (const size of paddedSizes(maxBatch)) if (size > 1) await probe(adapter, run, size);
};

/** Opens the graphs on a device that was proven before, and runs a probe so that the first batch finds them warm. */
export const openWarm = async (
  ort: Runtime,
  adapter: Adapter,
  options: Omit<OpenOptions, 'profile' | 'graphs'>,
): Promise<Sessions> => {
  const sessions = await openSessions(ort, { ...options, graphs: adapter.photoGraphs, profile: null });
  await probe(adapter, sessions.run);
  return sessions;
};

export type Proven = Readonly<{ sessions: Sessions; proof: DeviceProof; convincing: boolean }>;

/**
 * Opens the graphs and runs a probe twice: the first run is profiled to see where its nodes ran, the second is timed,
 * and its outputs are held against a run on the CPU (for the CPU itself: against its first run).
 */
export const openProven = async (
  ort: Runtime,
  adapter: Adapter,
  options: Omit<OpenOptions, 'profile' | 'graphs'> & Readonly<{ maxBatch: number }>,
): Promise<Proven> => {
  const open = { ...options, graphs: adapter.photoGraphs };
  const { sessions, first, placement } = await openProfiled(ort, adapter, open);
  const second = await probe(adapter, sessions.run);
  let reference = first;
  if (options.device !== 'cpu') {
    const onCpu = await openSessions(ort, { ...open, device: 'cpu', precision: 'fp32', profile: null });
    reference = await probe(adapter, onCpu.run);
    await onCpu.close();
  }
  await warm(adapter, sessions, options.device, options.maxBatch);
  const maxDifference = difference(second.outputs, reference.outputs);
  const agreesWithCpu = maxDifference <= tolerance[options.precision];
  return {
    sessions,
    proof: { ...placement, probeMs: second.ms, agreesWithCpu, maxDifference },
    convincing: agreesWithCpu && placement.nodesOnDevice > shareOnDevice * placement.nodesInAll,
  };
};
