/** Has a device prove itself for a pack: its nodes really run there, and its outputs agree with those of the CPU. */
import type { Device, Precision } from '../../contract/labels.ts';
import type { Pair } from '../../contract/operation.ts';
import type { Adapter, PhotoBatch, RunGraph, Tensor } from '../../contract/seam.ts';
import { paddedSizes } from '../batch-size.ts';
import type { DeviceProof } from '../protocol.ts';
import type { OpenedGraphs, OpenOptions, PackGraphs, SessionBackend } from './backend.ts';

type Where = Omit<OpenOptions, 'watched'>;

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

/** Runs every size that batches will be padded to, where the device prepares itself anew for each. */
const warm = async (
  { warmsSizes }: SessionBackend,
  adapter: Adapter,
  { run }: OpenedGraphs,
  device: Device,
  maxBatch: number,
): Promise<void> => {
  if (!warmsSizes(device)) return;
  for (const size of paddedSizes(maxBatch)) if (size > 1) await probe(adapter, run, size);
};

/** Opens the graphs on a device that was proven before, and runs a probe so that the first batch finds them warm. */
export const openWarm = async (
  backend: SessionBackend,
  adapter: Adapter,
  graphs: PackGraphs,
  where: Where,
): Promise<OpenedGraphs> => {
  const opened = await backend.open(graphs, { ...where, watched: false });
  await probe(adapter, opened.run);
  return opened;
};

/** The outputs of a run on the CPU, in fp32. */
const onCpu = async (backend: SessionBackend, adapter: Adapter, graphs: PackGraphs, where: Where): Promise<Probe> => {
  const opened = await backend.open({ ...graphs, precision: 'fp32' }, { ...where, device: 'cpu', watched: false });
  try {
    return await probe(adapter, opened.run);
  } finally {
    await opened.close();
  }
};

export type Proven = Readonly<{ opened: OpenedGraphs; proof: DeviceProof; convincing: boolean }>;

/**
 * Opens the graphs and runs a probe twice: the first run is watched to see where its nodes ran, the second is timed,
 * and its outputs are held against a run on the CPU (for the CPU itself: against its first run).
 */
export const openProven = async (
  backend: SessionBackend,
  adapter: Adapter,
  graphs: PackGraphs,
  where: Where,
  maxBatch: number,
): Promise<Proven> => {
  const opened = await backend.open(graphs, { ...where, watched: true });
  try {
    const first = await probe(adapter, opened.run);
    const placement = await opened.placement();
    const second = await probe(adapter, opened.run);
    const reference = where.device === 'cpu' ? first : await onCpu(backend, adapter, graphs, where);
    await warm(backend, adapter, opened, where.device, maxBatch);
    const maxDifference = difference(second.outputs, reference.outputs);
    const agreesWithCpu = maxDifference <= tolerance[graphs.precision];
    return {
      opened,
      proof: { ...placement, probeMs: second.ms, agreesWithCpu, maxDifference },
      convincing: agreesWithCpu && placement.nodesOnDevice > shareOnDevice * placement.nodesInAll,
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
};
