/**
 * How the automatic batch size finds its way. Pure: limits and measurements come in, the next state comes out; times are
 * UTC milliseconds. It tries twice the size against the present one, in turn, so that a busy spell hits both alike, and
 * moves up where that raises the throughput and every photo keeps its time limit. Where two sizes are equal it keeps the
 * smaller, and it does not hunt: a size that was found stays, the longer the more often it was confirmed.
 */
export type BatchLimits = Readonly<{
  /** The most that memory allows, at least 1. */
  ceiling: number;
  /** How long a photo may take in the model, ms. */
  slaMs: number;
  /** Batches that run side by side. */
  lanes: number;
}>;

/** Two sizes that take turns. `fromPerSecond`: what the smaller did in the present turn, null until it had it. */
type Trial = Readonly<{ from: number; to: number; fromPerSecond: number | null; gains: readonly number[] }>;

export type BatchState = Readonly<{
  size: number;
  /** As many as it pays to make somebody wait for: every doubling up to here gained `gainToWaitFor`. */
  urgentSize: number;
  trial: Trial | null;
  /**
   * Full batches of this size in this turn, and how many were not full. `skip`: full ones still to be passed over, while
   * the device warms up.
   */
  seen: Readonly<{ skip: number; batches: number; photos: number; ms: number; over: number; short: number }>;
  /** Batches in a row that took a photo longer than the limit. */
  overInARow: number;
  /** Not climbing before this moment. */
  restUntil: number;
  /** How long it rests after the next trial that gains nothing, ms. */
  restMs: number;
  /** Too many batches were over the limit, so that one photo at a time is judged until things are calm. */
  slowed: boolean;
}>;

export type BatchMeasure = Readonly<{ photos: number; runMs: number }>;

/** How long a size is watched at a time, in batches and in model time: in its turn of a trial, and once it is settled. */
const turn = { batches: 4, ms: 2000 };
const spell = { batches: 20, ms: 2500 };
/** So many batches of one turn that were not full, and there are not photos enough for that size. */
const shortAllowed = 8;
/** Several doublings that each gain a little less must not add up to much. */
const gainWanted = 1.01;
/** A larger batch makes each photo of it wait for the others: where somebody does, it must be well worth it. */
const gainToWaitFor = 1.2;
/** A trial is over when one side leads by so many turns, or has most of all that it gets. */
const leadWanted = 3;
const mostTurns = 7;
const overShare = 0.05;
const overAllowed = 3;
export const calmMs = 30_000;
/** How long a size that was found stays before the next one up is tried again. */
export const settledMs = 300_000;
/** The pause doubles up to this, each time that gains nothing. */
const longestRestMs = 8 * settledMs;

const at = (size: number, lanes: number): Pick<BatchState, 'size' | 'seen'> => ({
  size,
  seen: { skip: lanes, batches: 0, photos: 0, ms: 0, over: 0, short: 0 },
});

export const firstBatch = ({ lanes }: BatchLimits): BatchState => ({
  ...at(1, lanes),
  urgentSize: 1,
  trial: null,
  overInARow: 0,
  restUntil: 0,
  restMs: settledMs,
  slowed: false,
});

const downTo = (state: BatchState, size: number, lanes: number): BatchState => ({
  ...state,
  ...at(size, lanes),
  urgentSize: Math.min(state.urgentSize, size),
  trial: null,
});

/** The same under a ceiling that may have come down. */
export const underCeiling = (state: BatchState, { ceiling, lanes }: BatchLimits): BatchState => {
  const settled = state.trial?.from ?? state.size;
  return Math.max(state.size, state.trial?.to ?? 0) <= ceiling
    ? state
    : downTo(state, Math.min(settled, ceiling), lanes);
};

/** What the next batch may hold when somebody waits for the photo at its head. */
export const urgentBatch = ({ size, urgentSize, trial }: BatchState): number =>
  trial?.from === urgentSize ? size : Math.min(size, urgentSize);

/** Whether the larger size is better; undefined while the turns do not tell. */
const isBetter = (gains: readonly number[]): boolean | undefined => {
  const lead = gains.reduce((sum, gain) => sum + (gain >= gainWanted ? 1 : -1), 0);
  return Math.abs(lead) >= leadWanted || gains.length >= mostTurns ? lead > 0 : undefined;
};

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const gaveUp = (state: BatchState, from: number, lanes: number, now: number): BatchState => ({
  ...downTo(state, from, lanes),
  restUntil: now + state.restMs,
  restMs: Math.min(longestRestMs, 2 * state.restMs),
});

const afterTurn = (state: BatchState, trial: Trial, perSecond: number, lanes: number, now: number): BatchState => {
  const { from, to, fromPerSecond } = trial;
  if (state.size === from) return { ...state, ...at(to, 0), trial: { ...trial, fromPerSecond: perSecond } };
  const gains = fromPerSecond === null ? trial.gains : [...trial.gains, perSecond / fromPerSecond];
  switch (isBetter(gains)) {
    case true: {
      const worthWaiting = state.urgentSize === from && middle(gains) >= gainToWaitFor;
      return { ...state, ...at(to, 0), trial: null, restMs: settledMs, ...(worthWaiting && { urgentSize: to }) };
    }
    case false:
      return gaveUp(state, from, lanes, now);
    default:
      return { ...state, ...at(from, 0), trial: { ...trial, fromPerSecond: null, gains } };
  }
};

const judgeSize = (state: BatchState, { ceiling, lanes }: BatchLimits, now: number): BatchState => {
  const { size, trial, seen } = state;
  const perSecond = (1000 * seen.photos) / seen.ms;
  if (size > 1 && seen.over > overShare * seen.batches) {
    return { ...downTo(state, Math.ceil(size / 2), lanes), restUntil: now + calmMs };
  }
  if (trial) return afterTurn(state, trial, perSecond, lanes, now);
  if (size < ceiling && now >= state.restUntil) {
    const to = Math.min(ceiling, size * 2);
    const begun = { from: size, to, fromPerSecond: perSecond, gains: [] };
    return { ...state, ...at(to, lanes), trial: begun, slowed: false };
  }
  return { ...state, ...at(size, 0), slowed: state.slowed && now < state.restUntil };
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
  const state: BatchState = { ...underCeiling(before, limits), overInARow, restUntil };
  if (overInARow >= overAllowed && state.size > 1) {
    return { ...downTo(state, 1, limits.lanes), overInARow: 0, slowed: true };
  }
  // A larger size that is only being tried is not worth a photo over its limit.
  if (over && state.trial) {
    return { ...downTo(state, state.trial.from, limits.lanes), restUntil: now + settledMs };
  }
  const { seen, trial } = state;
  // A batch that was not full tells nothing of how fast its size is.
  if (photos !== state.size) {
    const short = seen.short + Number(photos < state.size);
    if (trial && state.size === trial.to && short >= shortAllowed) return gaveUp(state, trial.from, limits.lanes, now);
    return { ...state, seen: { ...seen, short } };
  }
  if (seen.skip > 0) return { ...state, seen: { ...seen, skip: seen.skip - 1 } };
  const next: BatchState = {
    ...state,
    seen: {
      ...seen,
      batches: seen.batches + 1,
      photos: seen.photos + photos,
      ms: seen.ms + runMs,
      over: seen.over + Number(over),
    },
  };
  const least = next.trial ? turn : spell;
  const enough = next.seen.batches >= least.batches && next.seen.ms >= least.ms;
  return enough ? judgeSize(next, limits, now) : next;
};

export type BatchAdvice = Readonly<{ size: number; cause: 'memory' | 'latency' }>;

/** What to say of a fixed size, which is never changed; null: nothing against it. `slow`: it misses the time limit. */
export const adviceOn = (size: number, ceiling: number, slow: boolean): BatchAdvice | null => {
  if (size > ceiling) return { size: ceiling, cause: 'memory' };
  return slow && size > 1 ? { size: Math.floor(size / 2), cause: 'latency' } : null;
};
