/** What the dispatcher knows: plain values, and the questions that are answered from them alone. */
import type { PackInput } from '../../contract/pack.ts';
import { slaMsOn } from '../../contract/settings.ts';
import type { BatchSetting, BatchTimes, Heartbeat, LoadedInfo, Totals } from '../protocol.ts';
import { adviceOn, type BatchLimits, type BatchState, firstBatch, underCeiling } from './batch-control.ts';
import { type BatchQueue, createBatchQueue } from './batch-queue.ts';
import type { Sample } from './job.ts';

/** A batch that a lane runs. */
export type Running = Readonly<{ samples: readonly Sample[]; startedAt: number; limitMs: number }>;

export type DispatchState = {
  readonly info: LoadedInfo;
  readonly input: PackInput;
  readonly queue: BatchQueue<Sample>;
  readonly totals: { -readonly [K in keyof Totals]: Totals[K] };
  setting: BatchSetting;
  maxDelayMs: number;
  limits: BatchTimes;
  /** What a sample usually takes. */
  msPerSample: number;
  memoryCeiling: number;
  control: BatchState;
  /** Samples that the next batch may hold. */
  batch: number;
};

/** A joint pack's photo waits as its pairs: three of each of the thousand statements that a set may hold. */
const pairsPerPhoto = 3000;
/** How many times its usual time a batch may take. */
const limitFactor = 4;

export const boundsOf = ({ info, setting, limits, memoryCeiling }: BoundsFrom): BatchLimits => ({
  ceiling: Math.min(memoryCeiling, (setting.mode === 'auto' && setting.ceiling) || memoryCeiling),
  slaMs: slaMsOn(info.device.used, limits),
  lanes: info.lanes,
});
type BoundsFrom = Pick<DispatchState, 'info' | 'setting' | 'limits' | 'memoryCeiling'>;

export type DispatchOptions = Pick<
  DispatchState,
  'info' | 'input' | 'setting' | 'maxDelayMs' | 'limits' | 'msPerSample'
> &
  Readonly<{
    /** Photos that may wait. */
    maxQueue: number;
  }>;

export const createDispatchState = ({ maxQueue, ...options }: DispatchOptions): DispatchState => {
  const memoryCeiling = 1;
  return {
    ...options,
    queue: createBatchQueue(options.info.adapter.kind === 'joint' ? maxQueue * pairsPerPhoto : maxQueue),
    totals: { batches: 0, samples: 0, largestBatch: 0, busyMs: 0, gapMs: 0, fellBack: 0 },
    memoryCeiling,
    control: firstBatch(boundsOf({ ...options, memoryCeiling })),
    batch: 1,
  };
};

/** Takes over what memory allows now, and another setting. */
export const resize = (state: DispatchState): void => {
  state.batch = state.setting.mode === 'fixed' ? state.setting.size : state.control.size;
};

export const useMemory = (state: DispatchState, ceiling: number): void => {
  state.memoryCeiling = ceiling;
  state.control = underCeiling(state.control, boundsOf(state));
  resize(state);
};

/** How long a batch of so many samples may take. */
export const limitOf = ({ limits, msPerSample }: DispatchState, samples: number): number =>
  Math.max(limits.bulkMs, limitFactor * msPerSample * samples);

/** `settling`: samples of a batch that is over, whose photos are told of only now. */
export const heartbeatOf = (
  state: DispatchState,
  running: readonly Running[],
  settling: number,
  now: number,
  rssBytes: number,
): Heartbeat => {
  const { queue, batch, setting, control, memoryCeiling, msPerSample } = state;
  const slowest = running.reduce<Running | undefined>(
    (worst, one) => (worst && worst.startedAt + worst.limitMs <= one.startedAt + one.limitMs ? worst : one),
    undefined,
  );
  const slow = msPerSample * batch > boundsOf(state).slaMs;
  return {
    kind: 'heartbeat',
    queued: queue.size(),
    running: running.reduce((sum, { samples }) => sum + samples.length, settling),
    batch,
    advice: setting.mode === 'fixed' ? adviceOn(setting.size, memoryCeiling, slow) : null,
    slowed: setting.mode === 'auto' && control.slowed,
    rssBytes,
    runningMs: slowest ? now - slowest.startedAt : 0,
    limitMs: slowest?.limitMs ?? 0,
    totals: { ...state.totals },
  };
};
