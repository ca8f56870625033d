/** When a host that ended is started again, and when it is given up. Pure: what happened comes in, the next state comes out. */

/** Pauses between starts in ms; back to the first after `calmMs` of being up. */
export type BackOff = Readonly<{ firstMs: number; maxMs: number; calmMs: number; startsWithoutReady: number }>;
export const usualBackOff: BackOff = { firstMs: 200, maxMs: 5000, calmMs: 5000, startsWithoutReady: 5 };

export type Restarts = Readonly<{ failedStarts: number; pauseMs: number }>;

/** `upMs`: since it was ready; null where it never was. `asked`: the core itself ended it. */
export type Ended = Readonly<{ upMs: number | null; asked: boolean; planned: boolean; killedFromOutside: boolean }>;

/** A host killed from outside while it starts is a failed start, but a weak sign that it never can. */
const killedStart = 0.25;

export const noRestarts = ({ firstMs }: BackOff): Restarts => ({ failedStarts: 0, pauseMs: firstMs });

export const afterReady = (state: Restarts): Restarts => ({ ...state, failedStarts: 0 });

/** `startInMs` null: it is given up. */
export const afterEnd = (
  state: Restarts,
  { upMs, asked, planned, killedFromOutside }: Ended,
  backOff: BackOff,
): Readonly<{ state: Restarts; startInMs: number | null }> => {
  const failed = upMs !== null ? 0 : killedFromOutside && !asked ? killedStart : 1;
  const failedStarts = state.failedStarts + failed;
  if (failedStarts >= backOff.startsWithoutReady) return { state: { ...state, failedStarts }, startInMs: null };
  const pauseMs = upMs !== null && upMs >= backOff.calmMs ? backOff.firstMs : state.pauseMs;
  return planned
    ? { state: { failedStarts, pauseMs }, startInMs: 0 }
    : { state: { failedStarts, pauseMs: Math.min(backOff.maxMs, pauseMs * 2) }, startInMs: pauseMs };
};
