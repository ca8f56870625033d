import { describe, expect, it } from 'vitest';
import { afterEnd, afterReady, type Ended, noRestarts, type Restarts } from '../../../main/hosts/restarts.ts';

const backOff = { firstMs: 100, maxMs: 500, calmMs: 1000, startsWithoutReady: 3 };
const crashedYoung: Ended = { upMs: 10, asked: false, planned: false, killedFromOutside: false };
const neverUp: Ended = { ...crashedYoung, upMs: null };

/** What each end leads to, one after another. */
const pauses = (ends: readonly Ended[], from: Restarts = noRestarts(backOff)): readonly (number | null)[] => {
  let state = from;
  return ends.map((end) => {
    const next = afterEnd(state, end, backOff);
    state = next.state;
    return next.startInMs;
  });
};

describe('when a host is started again', () => {
  it('waits longer each time, up to a bound, and no longer after a calm spell', () => {
    const calm = { ...crashedYoung, upMs: 1000 };
    expect(pauses([crashedYoung, crashedYoung, crashedYoung, crashedYoung, calm, crashedYoung])).toEqual([
      100, 200, 400, 500, 100, 200,
    ]);
  });

  it('starts at once what was ended on purpose, and holds that against nothing', () => {
    const planned = { ...crashedYoung, asked: true, planned: true };
    expect(pauses([crashedYoung, planned, planned, crashedYoung])).toEqual([100, 0, 0, 200]);
  });

  it('gives up what never became ready; a kill from outside counts a quarter', () => {
    const killed = { ...neverUp, killedFromOutside: true };
    expect(pauses([neverUp, neverUp, neverUp])).toEqual([100, 200, null]);
    expect(pauses([killed, killed, killed, killed, neverUp, neverUp])).toEqual([100, 200, 400, 500, 500, null]);
    // What the core killed itself, because it took too long to start, counts in full.
    expect(pauses(Array.from({ length: 3 }, () => ({ ...killed, asked: true }))).at(-1)).toBeNull();
  });

  it('counts failed starts from the last time that it was ready', () => {
    const twice = afterEnd(afterEnd(noRestarts(backOff), neverUp, backOff).state, neverUp, backOff).state;
    expect(pauses([neverUp], twice)).toEqual([null]);
    expect(pauses([neverUp], afterReady(twice))).toEqual([400]);
  });
});
