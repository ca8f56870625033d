/**
 * How the automatic batch size finds its way. Pure: limits and measurements come in, the next state comes out; times are
 * UTC milliseconds. It doubles while that raises the throughput and every photo keeps its time limit, steps back when
 * doubling gained nothing, and then stays for a while: where two sizes are equal it keeps the smaller and does not hunt.
 */
export type BatchLimits = Readonly<{
  /** The most that memory allows, at least 1. */
  ceiling: number;
  /** How long a photo may take in the model, ms. */
  slaMs: number;
  /** Batches that run side by side. */
  lanes: number;
}>;

export type BatchState = Readonly<{
  size: number;
  /** The size that was doubled to get here and what it did, until this one has shown itself better. */
  tried: Readonly<{ from: number; perSecond: number }> | null;
  /** Full batches of this size since it was chosen. `skip`: those still to be passed over, while the device warms up. */
  seen: Readonly<{ skip: number; batches: number; photos: number; ms: number; over: number }>;
  /** Batches in a row that took a photo longer than the limit. */
  overInARow: number;
  /** Not climbing before this moment. */
  restUntil: number;
  /** Too many batches were over the limit, so that one photo at a time is judged until things are calm. */
  slowed: boolean;
}>;

export type BatchMeasure = Readonly<{ photos: number; runMs: number }>;

const leastBatches = 8;
/** Long enough that another program's burst does not decide. */
const leastMs = 2500;
/** Several doublings that each gain a little less must not add up to much. */
const gainWanted = 1.02;
const overShare = 0.05;
const overAllowed = 3;
export const calmMs = 30_000;
/** How long a size that was found stays before the next one up is tried again. */
export const settledMs = 300_000;

const at = (size: number, lanes: number): Pick<BatchState, 'size' | 'seen'> => ({
  size,
  seen: { skip: lanes, batches: 0, photos: 0, ms: 0, over: 0 },
});

export const firstBatch = ({ lanes }: BatchLimits): BatchState => ({
  ...at(1, lanes),
  tried: null,
  overInARow: 0,
  restUntil: 0,
  slowed: false,
});

/** The same under a ceiling that may have come down. */
export const underCeiling = (state: BatchState, { ceiling, lanes }: BatchLimits): BatchState =>
  state.size <= ceiling ? state : { ...state, ...at(ceiling, lanes), tried: null };

const judgeSize = (state: BatchState, { ceiling, lanes }: BatchLimits, now: number): BatchState => {
  const { size, tried, seen } = state;
  const perSecond = (1000 * seen.photos) / seen.ms;
  if (size > 1 && seen.over > overShare * seen.batches) {
    return { ...state, ...at(Math.ceil(size / 2), lanes), tried: null, restUntil: now + calmMs };
  }
  if (tried && perSecond < gainWanted * tried.perSecond) {
    return { ...state, ...at(tried.from, lanes), tried: null, restUntil: now + settledMs };
  }
  if (size < ceiling && now >= state.restUntil) {
    const next = Math.min(ceiling, size * 2);
    return { ...state, ...at(next, lanes), tried: { from: size, perSecond }, slowed: false };
  }
  return { ...state, ...at(size, 0), tried: null, slowed: state.slowed && now < state.restUntil };
};

/** What a batch that has ended says of the size. */
export const afterBatch = (
  before: BatchState,
  { photos, runMs }: BatchMeasure,
  limits: BatchLimits,
  now: number,
): BatchState => {
  const over = runMs > limits.slaMs;
  const overInARow = over ? before.overInARow + 1 : 0;
  const restUntil = over ? Math.max(before.restUntil, now + calmMs) : before.restUntil;
  const state: BatchState = { ...before, overInARow, restUntil };
  if (overInARow >= overAllowed && state.size > 1) {
    return { ...state, ...at(1, limits.lanes), tried: null, overInARow: 0, slowed: true };
  }
  // A larger size that is only being tried is not worth a photo over its limit.
  if (over && state.tried) {
    return { ...state, ...at(state.tried.from, limits.lanes), tried: null, restUntil: now + settledMs };
  }
  // A batch that was not full tells nothing of its size.
  if (photos !== state.size) return state;
  const { seen } = state;
  if (seen.skip > 0) return { ...state, seen: { ...seen, skip: seen.skip - 1 } };
  const next: BatchState = {
    ...state,
    seen: {
      skip: 0,
      batches: seen.batches + 1,
      photos: seen.photos + photos,
      ms: seen.ms + runMs,
      over: seen.over + Number(over),
    },
  };
  const enough = next.seen.batches >= leastBatches && next.seen.ms >= leastMs;
  return enough ? judgeSize(next, limits, now) : next;
};

export type BatchAdvice = Readonly<{ size: number; cause: 'memory' | 'latency' }>;

/** What to say of a fixed size, which is never changed; null: nothing against it. `slow`: it misses the time limit. */
export const adviceOn = (size: number, ceiling: number, slow: boolean): BatchAdvice | null => {
  if (size > ceiling) return { size: ceiling, cause: 'memory' };
  return slow && size > 1 ? { size: Math.floor(size / 2), cause: 'latency' } : null;
};
