/** Worker thread entry: holds the sessions of one pack and runs one batch after another. `session.run` blocks it. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { Device, Precision } from '../contract/labels.ts';
import type { PackManifest } from '../contract/pack.ts';
import type { Adapter, PhotoBatch, RunGraph, Tagger } from '../contract/seam.ts';
import { candidates, type LanePlan, missingBackend, planLanes } from './devices.ts';
import { type Fault, strike } from './faults.ts';
import { openAdapter } from './open-adapter.ts';
import { readPack } from './packs.ts';
import type { LoadedInfo } from './protocol.ts';
import { graphFile, NotFinite, openProven, openWarm, type Proven, type Runtime } from './sessions.ts';
import type {
  SampleResult,
  SessionJoin,
  SessionLoad,
  SessionReply,
  SessionRequest,
  SessionRun,
} from './worker-protocol.ts';

type LoadFailure = Extract<SessionReply, { kind: 'load_failed' }>;
class LoadError extends Error {
  readonly code: LoadFailure['code'];
  constructor(code: LoadFailure['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const loadRuntime = async (): Promise<Runtime> => {
  try {
    return await import('onnxruntime-node');
  } catch (error) {
    throw new LoadError('runtime_missing', messageOf(error));
  }
};

/** Statements are read elsewhere; a tagger would only slow the start down. */
const noStatements: Tagger = () => {
  throw new Error('no statement is read in the session worker');
};

const openPack = (packDir: string): Readonly<{ manifest: PackManifest; adapter: Adapter }> => {
  try {
    const pack = readPack(packDir);
    return { manifest: pack.manifest, adapter: openAdapter(pack, noStatements) };
  } catch (error) {
    throw new LoadError('pack_broken', messageOf(error));
  }
};

/** `auto` is fp32 until a benchmark on this machine says otherwise. */
const choosePrecision = (
  requested: Precision | 'auto',
  packDir: string,
  manifest: PackManifest,
  adapter: Adapter,
): Precision => {
  const precision =
    requested === 'auto' ? (manifest.precisions.includes('fp32') ? 'fp32' : manifest.precisions[0]!) : requested;
  for (const graph of adapter.graphs) {
    const file = graphFile(graph, precision);
    if (!existsSync(join(packDir, file))) throw new LoadError('pack_broken', `the pack has no ${file}`);
  }
  return precision;
};

const runtimeLibraries = (): readonly string[] => {
  const root = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
  const dir = join(root, 'bin', 'napi-v6', process.platform, process.arch);
  return existsSync(dir) ? readdirSync(dir) : [];
};

type Opened = Proven & Readonly<{ device: Device; plan: LanePlan; fallbackReason: string | null }>;

const weightBytes = (packDir: string, adapter: Adapter, precision: Precision): number =>
  adapter.graphs.reduce((sum, graph) => sum + statSync(join(packDir, graphFile(graph, precision))).size, 0);

/** The best candidate that proves itself; only the CPU must. */
const openBest = async (
  ort: Runtime,
  adapter: Adapter,
  load: SessionLoad,
  options: Readonly<{ precision: Precision; threads: number }>,
): Promise<Opened> => {
  const reasons: string[] = [];
  for (const device of candidates(load.device, process.platform)) {
    try {
      const missing = missingBackend(device, ort.listSupportedBackends(), runtimeLibraries());
      if (missing) throw new Error(missing);
      const { packDir } = load;
      const plan = planLanes(device, options.threads, weightBytes(packDir, adapter, options.precision));
      const proven = await openProven(ort, adapter, { ...options, packDir, device, threads: plan.threadsPerLane });
      if (proven.convincing) {
        return { ...proven, device, plan, fallbackReason: load.device === 'auto' ? null : (reasons[0] ?? null) };
      }
      await proven.sessions.close();
      const { nodesOnDevice, nodesInAll, maxDifference } = proven.proof;
      throw new Error(
        `it ran ${nodesOnDevice} of ${nodesInAll} nodes and differs from the CPU by ${maxDifference.toPrecision(2)}`,
      );
    } catch (error) {
      reasons.push(`${device}: ${messageOf(error)}`);
    }
  }
  throw new LoadError('device_unavailable', reasons.join('; '));
};

type Loaded = Readonly<{ adapter: Adapter; run: RunGraph }>;
type Described = Readonly<{ info: LoadedInfo; inputs: PackManifest['inputs'] }>;

const openJoining = async ({ packDir, device, precision, threads }: SessionJoin): Promise<Loaded> => {
  const { adapter } = openPack(packDir);
  const sessions = await openWarm(await loadRuntime(), adapter, { packDir, device, precision, threads });
  return { adapter, run: sessions.run };
};

const openFirst = async (request: SessionLoad): Promise<Loaded & Described> => {
  const { manifest, adapter } = openPack(request.packDir);
  const ort = await loadRuntime();
  const precision = choosePrecision(request.precision, request.packDir, manifest, adapter);
  const threads = request.threads || availableParallelism();
  const { sessions, proof, device, plan, fallbackReason } = await openBest(ort, adapter, request, {
    precision,
    threads,
  });
  return {
    adapter,
    run: sessions.run,
    inputs: manifest.inputs,
    info: {
      device: { requested: request.device, used: device, proof, fallbackReason },
      precision,
      runtime: `onnxruntime ${ort.env.versions.node ?? ort.env.versions.common}`,
      threads: plan.lanes * plan.threadsPerLane,
      lanes: plan.lanes,
      adapter: { kind: adapter.kind, version: adapter.version, views: adapter.views },
    },
  };
};

const failedResult = (error: unknown): SampleResult => {
  const detail = messageOf(error).slice(0, 500);
  if (error instanceof NotFinite) return { kind: 'failed', code: 'not_finite', detail };
  const memory = /bad_alloc|out of memory|failed to allocate|memory allocation|cudaErrorMemoryAllocation/i.test(detail);
  return { kind: 'failed', code: memory ? 'out_of_memory' : 'run_failed', detail };
};

/** A view into a larger buffer would drag all of it along when posted. */
const alone = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);

const actOut = (fault: Fault | undefined): void => {
  strike(fault);
  if (fault?.what === 'out_of_memory') throw new Error('out of memory (on demand)');
  if (fault?.what === 'not_finite') throw new NotFinite('not finite (on demand)');
};

const runBatch = async (
  { adapter, run }: Loaded,
  batch: PhotoBatch,
  parts: readonly string[],
  count: number,
  faults: SessionRun['faults'],
): Promise<readonly SampleResult[]> => {
  for (const fault of faults) actOut(fault);
  if (adapter.kind === 'separable') {
    const evidence = await adapter.encodePhotos(batch, run);
    return evidence.slice(0, count).map((bytes) => ({ kind: 'evidence', evidence: alone(bytes) }));
  }
  const padded = [...parts, ...new Array<string>(batch.size - parts.length).fill('')];
  const judgements = await adapter.judgePairs(batch, padded, run);
  return judgements.slice(0, count).map((judgement) => ({ kind: 'judgement', judgement }));
};

const pictures = ({ adapter }: Loaded, views: SessionRun['views'], from: number, size: number): PhotoBatch => ({
  size,
  views: Object.fromEntries(
    adapter.views.map(({ id, width, height }) => {
      const bytes = width * height * 3;
      return [id, new Uint8Array(views[id]!, from * bytes, size * bytes)];
    }),
  ),
});

/** A batch that fails is run again photo by photo, so that only the one to blame fails. */
const runSafely = async (loaded: Loaded, request: SessionRun): Promise<readonly SampleResult[]> => {
  const { size, padded, views, parts, faults } = request;
  const whole = pictures(loaded, views, 0, padded);
  try {
    return await runBatch(loaded, whole, parts, size, faults);
  } catch (error) {
    const failed = failedResult(error);
    if (size === 1 || (failed.kind === 'failed' && failed.code === 'out_of_memory')) {
      return new Array<SampleResult>(size).fill(failed);
    }
    const results: SampleResult[] = [];
    for (let i = 0; i < size; i += 1) {
      const run = runBatch(loaded, pictures(loaded, views, i, 1), parts.slice(i, i + 1), 1, faults.slice(i, i + 1));
      results.push(...(await run.catch((reason) => [failedResult(reason)])));
    }
    return results;
  }
};

if (!parentPort) throw new Error('the session worker must be started by the inference host');
const port = parentPort;
const reply = (message: SessionReply, handedOver: ArrayBuffer[] = []): void => port.postMessage(message, handedOver);

let loaded: Loaded | undefined;
let finishedAt = performance.now();

const open = async (request: SessionLoad | SessionJoin): Promise<SessionReply> => {
  try {
    if (request.kind === 'join') {
      loaded = await openJoining(request);
      return { kind: 'joined' };
    }
    const { adapter, run, info, inputs } = await openFirst(request);
    loaded = { adapter, run };
    return { kind: 'loaded', info, inputs, msPerSample: info.device.proof.probeMs };
  } catch (error) {
    return {
      kind: 'load_failed',
      code: error instanceof LoadError ? error.code : 'pack_broken',
      detail: messageOf(error),
    };
  } finally {
    finishedAt = performance.now();
  }
};

port.on('message', async (request: SessionRequest) => {
  if (request.kind !== 'run') return reply(await open(request));
  if (!loaded) throw new Error('run before load');
  const startedAt = performance.now();
  const idleMs = startedAt - finishedAt;
  const results = await runSafely(loaded, request);
  finishedAt = performance.now();
  const { views } = request;
  reply({ kind: 'ran', results, runMs: finishedAt - startedAt, idleMs, views }, Object.values(views));
});
