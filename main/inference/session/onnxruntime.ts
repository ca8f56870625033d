/** Graphs in this process, by ONNX Runtime: the first backend. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type * as Ort from 'onnxruntime-node';
import type { Device, Precision } from '../../contract/labels.ts';
import type { RunGraph, Tensor, TensorType } from '../../contract/seam.ts';
import {
  LoadError,
  messageOf,
  NotFinite,
  type OpenedGraphs,
  type OpenOptions,
  type PackGraphs,
  type Placement,
  type SessionBackend,
} from './backend.ts';
import { candidates, DeviceMissing, missingBackend, planLanes } from './devices.ts';
import { type GraphOrigin, type OpenedGraph, openCached } from './graph-cache.ts';
import { placementIn } from './profile.ts';
import { deviceOptions, indexProblem, warmsSizes } from './providers.ts';

type Runtime = typeof Ort;

export const graphFile = (graph: string, precision: Precision): string =>
  join('onnx', precision === 'fp32' ? `${graph}.onnx` : `${graph}_${precision}.onnx`);

const filesOf = ({ names, precision }: PackGraphs): readonly string[] =>
  names.map((graph) => graphFile(graph, precision));

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
const sessionOptions = (
  { device, deviceIndex, threads }: OpenOptions,
  profile: string | null,
  graph: string,
): Ort.InferenceSession.SessionOptions => ({
  ...deviceOptions(device, deviceIndex),
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
  logSeverityLevel: 3,
  ...(profile !== null && { enableProfiling: true, profileFilePrefix: `${profile}-${graph}` }),
});

const runtimeVersion = (ort: Runtime): string => `onnxruntime ${ort.env.versions.node ?? ort.env.versions.common}`;

const openGraph = async (
  ort: Runtime,
  { packDir, precision, sha256 }: PackGraphs,
  options: OpenOptions,
  profile: string | null,
  graph: string,
): Promise<OpenedGraph> => {
  const { device, graphCache } = options;
  const file = graphFile(graph, precision);
  const source = join(packDir, file);
  const settings = sessionOptions(options, profile, graph);
  const graphSha256 = sha256[file.replaceAll('\\', '/')];
  if (device !== 'cpu' || graphCache === null || graphSha256 === undefined) {
    return { session: await ort.InferenceSession.create(source, settings), origin: 'original' };
  }
  const key = { graphSha256, runtime: runtimeVersion(ort), precision };
  const open = (path: string, how: typeof settings) => ort.InferenceSession.create(path, how);
  return openCached(graphCache, key, source, open, settings);
};

type Sessions = ReadonlyMap<string, Ort.InferenceSession>;

const runIn =
  (ort: Runtime, sessions: Sessions): RunGraph =>
  async (graph, inputs) => {
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
  };

/** ONNX Runtime writes a profile for each session as it ends profiling. */
const readPlacement = (sessions: Sessions, dir: string, device: Device): Placement => {
  for (const session of sessions.values()) session.endProfiling();
  const total = { nodesOnDevice: 0, nodesInAll: 0 };
  for (const name of readdirSync(dir)) {
    const found = placementIn(readFileSync(join(dir, name), 'utf8'), device);
    total.nodesOnDevice += found.nodesOnDevice;
    total.nodesInAll += found.nodesInAll;
  }
  return total;
};

const openGraphs = async (ort: Runtime, graphs: PackGraphs, options: OpenOptions): Promise<OpenedGraphs> => {
  const profiles = options.watched ? mkdtempSync(join(tmpdir(), 'vouch-probe-')) : null;
  const forgetProfiles = () => {
    if (profiles !== null) rmSync(profiles, { recursive: true, force: true });
  };
  const sessions = new Map<string, Ort.InferenceSession>();
  const origins: GraphOrigin[] = [];
  try {
    for (const graph of graphs.names) {
      const profile = profiles && join(profiles, 'run');
      const { session, origin } = await openGraph(ort, graphs, options, profile, graph);
      sessions.set(graph, session);
      origins.push(origin);
    }
  } catch (error) {
    forgetProfiles();
    throw error;
  }
  return {
    run: runIn(ort, sessions),
    origin: origins.find((origin) => origin !== 'cached') ?? 'cached',
    placement: async () => {
      if (profiles === null) throw new Error('these graphs are not watched');
      try {
        return readPlacement(sessions, profiles, options.device);
      } finally {
        forgetProfiles();
      }
    },
    close: async () => {
      for (const session of sessions.values()) await session.release();
      forgetProfiles();
    },
  };
};

const runtimeLibraries = (): readonly string[] => {
  const root = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
  const dir = join(root, 'bin', 'napi-v6', process.platform, process.arch);
  return existsSync(dir) ? readdirSync(dir) : [];
};

const problemOf = (ort: Runtime, device: Device, index: number): Error | null => {
  const missing = missingBackend(device, ort.listSupportedBackends(), runtimeLibraries());
  if (missing) return new DeviceMissing(device, missing);
  const problem = indexProblem(device, index);
  return problem === null ? null : new Error(problem);
};

const weightBytes = (graphs: PackGraphs): number =>
  filesOf(graphs).reduce((sum, file) => sum + statSync(join(graphs.packDir, file)).size, 0);

const outOfMemory = /bad_alloc|out of memory|failed to allocate|memory allocation|cudaErrorMemoryAllocation/i;
/** In the words of the runtime and of the devices' own libraries. */
const deviceLost =
  /device( is| was)? (lost|removed|hung)|DXGI_ERROR_DEVICE|\b(CUDA|CUDNN|CUBLAS) (error|failure)|cudaError/i;

const loadRuntime = async (): Promise<Runtime> => {
  try {
    return await import('onnxruntime-node');
  } catch (error) {
    throw new LoadError('runtime_missing', messageOf(error));
  }
};

/** @throws LoadError where the runtime cannot be loaded. */
export const openOnnxRuntime = async (): Promise<SessionBackend> => {
  const ort = await loadRuntime();
  return {
    runtime: runtimeVersion(ort),
    candidates: (requested) => candidates(requested, process.platform),
    problem: (device, index) => problemOf(ort, device, index),
    lacks: (graphs) => filesOf(graphs).find((file) => !existsSync(join(graphs.packDir, file))) ?? null,
    plan: (graphs, device, threads) => planLanes(device, threads, weightBytes(graphs)),
    warmsSizes,
    open: (graphs, options) => openGraphs(ort, graphs, options),
    failureOf: (detail) => {
      if (outOfMemory.test(detail)) return 'out_of_memory';
      return deviceLost.test(detail) ? 'device_lost' : 'run_failed';
    },
  };
};
