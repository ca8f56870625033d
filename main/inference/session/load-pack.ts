/** Finds a device that proves itself for a pack, and opens the pack's graphs on it. Runs in a session worker. */
import { availableParallelism } from 'node:os';
import type { Device, PassedOver, Precision } from '../../contract/labels.ts';
import type { PackInput, PackManifest } from '../../contract/pack.ts';
import type { PrecisionReason } from '../../contract/precision.ts';
import type { Adapter, RunGraph } from '../../contract/seam.ts';
import { openAdapter } from '../../packs/open-adapter.ts';
import { readPack } from '../../packs/packs.ts';
import { precisionOn } from '../../packs/precision-choice.ts';
import type { LoadedInfo } from '../protocol.ts';
import type { SessionJoin, SessionLoad } from '../worker-protocol.ts';
import {
  type LanePlan,
  LoadError,
  messageOf,
  type OpenOptions,
  type PackGraphs,
  type SessionBackend,
} from './backend.ts';
import { DeviceMissing } from './devices.ts';
import { openOnnxRuntime } from './onnxruntime.ts';
import { openProven, openWarm, type Proven } from './prove.ts';

type OpenedPack = Readonly<{ manifest: PackManifest; input: PackInput; adapter: Adapter }>;
type OpenBackend = () => Promise<SessionBackend>;

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

const graphsOf = ({ manifest, adapter }: OpenedPack, packDir: string, precision: Precision): PackGraphs => ({
  packDir,
  names: adapter.photoGraphs,
  precision,
  sha256: manifest.sha256,
});

type Opened = Proven &
  Readonly<{
    device: Device;
    plan: LanePlan;
    precision: Precision;
    precisionReason: PrecisionReason;
    fallbackReason: string | null;
    passedOver: readonly PassedOver[];
  }>;

/** The number is that of the device asked for; there is one CPU. */
const indexOf = (load: SessionLoad, device: Device): number =>
  device === load.device && device !== 'cpu' ? load.deviceIndex : 0;

/** @throws Error with the reason why the device cannot be used. */
const openOn = async (
  backend: SessionBackend,
  pack: OpenedPack,
  load: SessionLoad,
  device: Device,
): Promise<Omit<Opened, 'fallbackReason' | 'passedOver'>> => {
  const deviceIndex = indexOf(load, device);
  const problem = backend.problem(device, deviceIndex);
  if (problem) throw problem;
  const { precisions } = pack.manifest;
  const { precision, reason: precisionReason } = precisionOn(device, load.precision, load.choices, precisions);
  const graphs = graphsOf(pack, load.packDir, precision);
  const lacking = backend.lacks(graphs);
  if (lacking !== null) throw new LoadError('pack_broken', `the pack has no ${lacking}`);
  const plan = backend.plan(graphs, device, load.threads || availableParallelism());
  const where = { device, deviceIndex, threads: plan.threadsPerLane, graphCache: load.graphCache };
  const proven = await openProven(backend, pack.adapter, graphs, where, pack.input.maxBatch);
  if (proven.convincing) return { ...proven, device, plan, precision, precisionReason };
  await proven.opened.close();
  const { nodesOnDevice, nodesInAll, maxDifference } = proven.proof;
  throw new Error(
    `it ran ${nodesOnDevice} of ${nodesInAll} nodes and differs from the CPU by ${maxDifference.toPrecision(2)}`,
  );
};

/** The best candidate that proves itself; only the CPU must. */
const openBest = async (backend: SessionBackend, pack: OpenedPack, load: SessionLoad): Promise<Opened> => {
  const passedOver: PassedOver[] = [];
  const reasons = () => passedOver.map(({ device, reason }) => `${device}: ${reason}`);
  for (const device of backend.candidates(load.device)) {
    try {
      const opened = await openOn(backend, pack, load, device);
      const fallbackReason = load.device === 'auto' ? null : (reasons()[0] ?? null);
      return { ...opened, fallbackReason, passedOver };
    } catch (error) {
      if (error instanceof LoadError) throw error;
      const detail = messageOf(error);
      // The CPU is always there: what it cannot run is the pack's fault, unless there is no memory for it.
      if (device === 'cpu' && backend.failureOf(detail) !== 'out_of_memory') throw new LoadError('pack_broken', detail);
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
  /** What an error of a run says. */
  failureOf: SessionBackend['failureOf'];
}>;
type Described = Readonly<{ info: LoadedInfo; input: PackInput }>;

const fp32For = (
  backend: SessionBackend,
  { manifest }: OpenedPack,
  graphs: PackGraphs,
  where: Omit<OpenOptions, 'watched'>,
): Loaded['inFp32'] => {
  if (graphs.precision === 'fp32' || !manifest.precisions.includes('fp32')) return null;
  let opening: Promise<RunGraph> | undefined;
  return () => {
    opening ??= backend
      .open({ ...graphs, precision: 'fp32' }, { ...where, watched: false })
      .then((opened) => opened.run);
    return opening;
  };
};

export const openJoining = async (
  request: SessionJoin,
  openBackend: OpenBackend = openOnnxRuntime,
): Promise<Loaded> => {
  const { packDir, precision, device, deviceIndex, threads, graphCache } = request;
  const pack = await openPack(request);
  const backend = await openBackend();
  const { adapter } = pack;
  const graphs = graphsOf(pack, packDir, precision);
  const where = { device, deviceIndex, threads, graphCache };
  const { run } = await openWarm(backend, adapter, graphs, where);
  const inFp32 = fp32For(backend, pack, graphs, where);
  return { adapter, run, precision, inFp32, failureOf: backend.failureOf };
};

export const openFirst = async (
  request: SessionLoad,
  openBackend: OpenBackend = openOnnxRuntime,
): Promise<Loaded & Described> => {
  const pack = await openPack(request);
  const { input, adapter } = pack;
  const backend = await openBackend();
  const found = await openBest(backend, pack, request);
  const { opened, proof, device, plan, precision, precisionReason, fallbackReason, passedOver } = found;
  const deviceIndex = indexOf(request, device);
  const { packDir, graphCache } = request;
  const where = { device, deviceIndex, threads: plan.threadsPerLane, graphCache };
  const { kind, version, views } = adapter;
  return {
    adapter,
    run: opened.run,
    precision,
    inFp32: fp32For(backend, pack, graphsOf(pack, packDir, precision), where),
    failureOf: backend.failureOf,
    input,
    info: {
      device: { requested: request.device, used: device, index: deviceIndex, proof, fallbackReason, passedOver },
      precision,
      inputSize: input.size,
      precisionReason,
      runtime: backend.runtime,
      graphs: opened.origin,
      threads: plan.lanes * plan.threadsPerLane,
      lanes: plan.lanes,
      adapter: { kind, version, views, answers: adapter.ask !== undefined },
    },
  };
};
