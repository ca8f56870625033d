import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  adviceOn,
  afterBatch,
  type BatchLimits,
  type BatchState,
  calmMs,
  firstBatch,
  settledMs,
  underCeiling,
} from '../../../main/inference/batch-control.ts';

const limits: BatchLimits = { ceiling: 16, slaMs: 800, lanes: 1 };

/** Feeds full batches for so long, on a device that takes `msOf(size)` for one; tells the sizes gone through. */
const runFor = (ms: number, from: BatchState, msOf: (size: number) => number, within = limits, startAt = 0) => {
  let state = from;
  let now = startAt;
  const sizes = [state.size];
  while (now < startAt + ms) {
    const runMs = msOf(state.size);
    now += runMs;
    state = afterBatch(state, { photos: state.size, runMs }, within, now);
    if (sizes.at(-1) !== state.size) sizes.push(state.size);
  }
  return { state, sizes, now };
};

describe('automatic batch size', () => {
  it('climbs to the ceiling while each doubling pays', () => {
    expect(runFor(60_000, firstBatch(limits), (size) => 20 + size).sizes).toEqual([1, 2, 4, 8, 16]);
  });

  it('keeps one photo a batch where two are no faster, and does not hunt', () => {
    const { state, sizes } = runFor(settledMs, firstBatch(limits), (size) => 39 * size);
    expect(sizes).toEqual([1, 2, 1]);
    expect(state.size).toBe(1);
  });

  it('goes back where doubling makes it slower', () => {
    const cost: Record<number, number> = { 1: 30, 2: 40, 4: 60, 8: 160, 16: 400 };
    expect(runFor(60_000, firstBatch(limits), (size) => cost[size]!).sizes).toEqual([1, 2, 4, 8, 4]);
  });

  it('stays inside the time limit of a photo although more would be faster', () => {
    const { sizes, state } = runFor(120_000, firstBatch(limits), (size) => 250 + 100 * size);
    expect(Math.max(...sizes)).toBe(8);
    expect(state.size).toBe(4);
    expect(sizes).toEqual([1, 2, 4, 8, 4]);
  });

  it('goes to one after three batches in a row over the limit, and climbs back when it is calm', () => {
    const fast = (size: number) => 20 + size;
    const up = runFor(60_000, firstBatch(limits), fast);
    let { state, now } = up;
    for (let i = 0; i < 3; i += 1) {
      expect(state.size).toBe(16);
      now += 900;
      state = afterBatch(state, { photos: 16, runMs: 900 }, limits, now);
    }
    expect(state).toMatchObject({ size: 1, slowed: true });
    const resting = runFor(calmMs - 2000, state, fast, limits, now);
    expect(resting.state).toMatchObject({ size: 1, slowed: true });
    const calm = runFor(60_000, resting.state, fast, limits, resting.now);
    expect(calm.state).toMatchObject({ size: 16, slowed: false });
  });

  it('comes down at once when memory does', () => {
    const { state } = runFor(60_000, firstBatch(limits), (size) => 20 + size);
    expect(underCeiling(state, { ...limits, ceiling: 3 }).size).toBe(3);
    expect(underCeiling(state, limits)).toBe(state);
  });

  it('takes no lesson from a batch that was not full', () => {
    let state = { ...firstBatch(limits), size: 8 };
    for (let i = 0; i < 500; i += 1) state = afterBatch(state, { photos: 3, runMs: 50 }, limits, i * 50);
    expect(state.size).toBe(8);
  });

  it('never leaves 1 to the ceiling, whatever it is told', () => {
    const measure = fc.record({
      share: fc.double({ min: 0.1, max: 1, noNaN: true }),
      runMs: fc.integer({ min: 1, max: 5000 }),
    });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(measure, fc.integer({ min: 1, max: 40 }), fc.nat(20_000)), { maxLength: 300 }),
        (steps) => {
          let state = firstBatch(limits);
          let now = 0;
          for (const [{ share, runMs }, ceiling, wait] of steps) {
            const bounds = { ceiling, slaMs: 1000, lanes: 2 };
            state = underCeiling(state, bounds);
            now += runMs + wait;
            const photos = Math.ceil(share * state.size);
            const next = afterBatch(state, { photos, runMs }, bounds, now);
            expect(next.size).toBeGreaterThanOrEqual(1);
            expect(next.size).toBeLessThanOrEqual(ceiling);
            // Never more than twice as much from one batch to the next.
            expect(next.size).toBeLessThanOrEqual(2 * state.size);
            state = next;
          }
        },
      ),
    );
  });

  it('settles within a few tries on any device, at no less than .95 of the best size', () => {
    const device = fc.record({ fixed: fc.integer({ min: 0, max: 100 }), each: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(device, ({ fixed, each }) => {
        const open = { ...limits, slaMs: 1e9 };
        const cost = (size: number) => fixed + each * size;
        const rate = (size: number) => size / cost(size);
        const { state, sizes } = runFor(settledMs, firstBatch(open), cost, open);
        expect(sizes.length).toBeLessThanOrEqual(6);
        // Each doubling left out gains under 2 %, and further ones gain ever less.
        expect(rate(state.size)).toBeGreaterThanOrEqual(rate(Math.min(open.ceiling, 2 * state.size)) / 1.02 - 1e-9);
      }),
    );
  });
});

describe('advice on a fixed size', () => {
  it('names what memory or the time limit would allow, else nothing', () => {
    expect(adviceOn(8, 4, true)).toEqual({ size: 4, cause: 'memory' });
    expect(adviceOn(8, 16, true)).toEqual({ size: 4, cause: 'latency' });
    expect(adviceOn(1, 16, true)).toBeNull();
    expect(adviceOn(8, 16, false)).toBeNull();
  });
});
