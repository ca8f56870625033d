/**
 * The ladder that the engine steps down under pressure instead of failing. Pure: what was observed comes in, the next
 * state comes out; times are UTC milliseconds.
 *
 * Rung 1: batches miss their time limit: photos are put off; after so many in a row judging pauses (a circuit breaker)
 * and then lets one photo through to see. Rung 2: memory: a smaller input, else smaller batches. Rung 3: only decisions of grade high stand.
 * Rung 4: the device is lost, or ran out of memory twice: the CPU and int8 take over, and the device is tried again later.
 */
import type { DegradationCause, DegradationCode, Rung } from '../../contract/degradation.ts';
import type { LadderSettings } from '../../contract/settings.ts';

export type Observation =
  | Readonly<{ kind: 'timed_out' | 'in_time' | 'out_of_memory' | 'device_lost' | 'not_finite' }>
  | Readonly<{ kind: 'memory'; usedPercent: number }>
  /** The device was tried again: it is back, or it is not. */
  | Readonly<{ kind: 'probed'; back: boolean }>
  | Readonly<{ kind: 'tick' }>;

export type LadderState = Readonly<{
  /** `openUntil`: the breaker is open until then, half open after; null: closed. */
  timeLimits: Readonly<{ inARow: number; openUntil: number | null; pauseMs: number }>;
  memory: Readonly<{ level: 0 | 1 | 2; usedPercent: number; belowSince: number | null }>;
  /** Of late; forgotten after a calm spell. */
  outOfMemory: Readonly<{ times: number; at: number }>;
  /** On rung 4. */
  fallback: Readonly<{ cause: 'device' | 'memory'; probeAt: number; pauseMs: number }> | null;
  notFiniteAt: number | null;
}>;

export const topOfLadder: LadderState = {
  timeLimits: { inARow: 0, openUntil: null, pauseMs: 0 },
  memory: { level: 0, usedPercent: 0, belowSince: null },
  outOfMemory: { times: 0, at: 0 },
  fallback: null,
  notFiniteAt: null,
};

const longestBreakMs = 60_000;
const longestProbeMs = 3_600_000;
const timesToFallBack = 2;

const afterTimeOut = (state: LadderState, settings: LadderSettings, now: number): LadderState => {
  const { inARow, openUntil, pauseMs } = state.timeLimits;
  // What was under way when the breaker opened says nothing new.
  if (openUntil !== null && now < openUntil) return state;
  const next = inARow + 1;
  if (openUntil === null && next < settings.breakerAfter) {
    return { ...state, timeLimits: { inARow: next, openUntil, pauseMs } };
  }
  const pause = Math.min(longestBreakMs, openUntil === null ? settings.breakerPauseMs : pauseMs * 2);
  return { ...state, timeLimits: { inARow: next, openUntil: now + pause, pauseMs: pause } };
};

const levelAt = (percent: number, { memoryFirst, memorySecond }: LadderSettings): 0 | 1 | 2 =>
  percent > memorySecond ? 2 : percent > memoryFirst ? 1 : 0;

/** A level is entered at once and left when memory has been so many points lower for so long. */
const afterMemory = (state: LadderState, usedPercent: number, settings: LadderSettings, now: number): LadderState => {
  const { level, belowSince } = state.memory;
  const reached = levelAt(usedPercent, settings);
  if (reached >= level) {
    const below = reached > level ? null : levelAt(usedPercent + settings.memoryPoints, settings) < level;
    if (!below) return { ...state, memory: { level: reached, usedPercent, belowSince: null } };
  }
  const kept = levelAt(usedPercent + settings.memoryPoints, settings);
  if (kept >= level) return { ...state, memory: { level, usedPercent, belowSince: null } };
  const since = belowSince ?? now;
  return now - since >= settings.memoryCalmMs
    ? { ...state, memory: { level: kept, usedPercent, belowSince: null } }
    : { ...state, memory: { level, usedPercent, belowSince: since } };
};

const fallBack = (state: LadderState, cause: 'device' | 'memory', { probeAgainMs }: LadderSettings, now: number) => ({
  ...state,
  fallback: state.fallback ?? { cause, probeAt: now + probeAgainMs, pauseMs: probeAgainMs },
});

const afterOutOfMemory = (state: LadderState, settings: LadderSettings, now: number): LadderState => {
  const { times, at } = state.outOfMemory;
  const next = now - at > settings.calmMs ? 1 : times + 1;
  const noted = { ...state, outOfMemory: { times: next, at: now } };
  return next >= timesToFallBack ? fallBack(noted, 'memory', settings, now) : noted;
};

const afterProbe = (state: LadderState, back: boolean, now: number): LadderState => {
  if (!state.fallback) return state;
  if (back) return { ...state, fallback: null, outOfMemory: topOfLadder.outOfMemory };
  const pauseMs = Math.min(longestProbeMs, 2 * state.fallback.pauseMs);
  return { ...state, fallback: { ...state.fallback, probeAt: now + pauseMs, pauseMs } };
};

const afterTick = (state: LadderState, { calmMs }: LadderSettings, now: number): LadderState => ({
  ...state,
  outOfMemory: now - state.outOfMemory.at > calmMs ? topOfLadder.outOfMemory : state.outOfMemory,
  notFiniteAt: state.notFiniteAt !== null && now - state.notFiniteAt > calmMs ? null : state.notFiniteAt,
});

export const observe = (
  state: LadderState,
  observation: Observation,
  settings: LadderSettings,
  now: number,
): LadderState => {
  switch (observation.kind) {
    case 'timed_out':
      return afterTimeOut(state, settings, now);
    case 'in_time': {
      const { inARow, openUntil } = state.timeLimits;
      // A result of a batch that began before the breaker opened does not close it.
      if (inARow === 0 || (openUntil !== null && now < openUntil)) return state;
      return { ...state, timeLimits: topOfLadder.timeLimits };
    }
    case 'memory':
      return afterMemory(state, observation.usedPercent, settings, now);
    case 'out_of_memory':
      return afterOutOfMemory(state, settings, now);
    case 'device_lost':
      return fallBack(state, 'device', settings, now);
    case 'not_finite':
      return { ...state, notFiniteAt: now };
    case 'probed':
      return afterProbe(state, observation.back, now);
    case 'tick':
      return afterTick(state, settings, now);
  }
};

/** How many photos may be let in: none while the breaker is open, one to see while it is half open. */
export const admitted = ({ timeLimits }: LadderState, { pinned }: LadderSettings, now: number): number => {
  if (pinned === 1) return 0;
  if (timeLimits.openUntil === null) return Number.POSITIVE_INFINITY;
  return now < timeLimits.openUntil ? 0 : 1;
};

const memorySteps = ({ memory }: LadderState, { pinned }: LadderSettings): number =>
  Math.max(memory.level, pinned === 2 ? 1 : 0);

/** How many sizes down the input is, where the pack has so many smaller ones. */
export const sizeSteps = (state: LadderState, settings: LadderSettings, smallerSizes: number): number =>
  Math.min(memorySteps(state, settings), smallerSizes);

/** By what an automatic batch is divided: for what memory pressure a smaller input does not answer. */
export const batchDivisor = (state: LadderState, settings: LadderSettings, smallerSizes: number): number =>
  2 ** (memorySteps(state, settings) - sizeSteps(state, settings, smallerSizes) + state.outOfMemory.times);

export const onFallback = ({ fallback }: LadderState, { pinned }: LadderSettings): boolean =>
  fallback !== null || pinned === 4;

export type ActiveRung = Readonly<{ rung: Rung | null; code: DegradationCode; cause: DegradationCause }>;

/**
 * What else the engine knows of itself. `reduced`: it runs other weights than it would without the ladder, or at a
 * smaller input size.
 */
export type EngineTraits = Readonly<{ reduced: 'weights' | 'input' | null; slowed: boolean; smallerSizes: number }>;

/** The rungs that the engine stands on, each once. */
export const rungsOf = (
  state: LadderState,
  settings: LadderSettings,
  { reduced, slowed, smallerSizes }: EngineTraits,
): readonly ActiveRung[] => {
  const { timeLimits, memory, outOfMemory, fallback, notFiniteAt } = state;
  const { pinned } = settings;
  const rungs: ActiveRung[] = [];
  if (pinned === 1) rungs.push({ rung: 1, code: 'paused', cause: 'pinned' });
  else if (timeLimits.openUntil !== null) rungs.push({ rung: 1, code: 'paused', cause: 'latency' });
  else if (timeLimits.inARow > 0) rungs.push({ rung: 1, code: 'put_off', cause: 'latency' });
  const ofMemory = pinned === 2 && memory.level === 0 ? 'pinned' : 'memory';
  if (sizeSteps(state, settings, smallerSizes) > 0) rungs.push({ rung: 2, code: 'input_reduced', cause: ofMemory });
  if (batchDivisor(state, settings, smallerSizes) > 1) {
    const cause = outOfMemory.times > 0 ? 'memory' : ofMemory;
    rungs.push({ rung: 2, code: 'batch_reduced', cause });
  } else if (slowed) rungs.push({ rung: 1, code: 'batch_reduced', cause: 'latency' });
  if (pinned === 3) rungs.push({ rung: 3, code: 'grades_raised', cause: 'pinned' });
  else if (reduced) rungs.push({ rung: 3, code: 'grades_raised', cause: reduced === 'weights' ? 'device' : ofMemory });
  if (fallback) rungs.push({ rung: 4, code: 'device_fallback', cause: fallback.cause });
  else if (pinned === 4) rungs.push({ rung: 4, code: 'device_fallback', cause: 'pinned' });
  if (notFiniteAt !== null) rungs.push({ rung: null, code: 'precision_fallback', cause: 'failures' });
  return rungs;
};
