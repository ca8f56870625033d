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
  urgentBatch,
} from '../../../main/inference/host/batch-control.ts';

const limits: BatchLimits = { ceiling: 16, slaMs: 800, lanes: 1 };

/** The size that is not merely being tried. */
const settledSize = ({ size, trial }: BatchState): number => trial?.from ?? size;

/** Feeds full batches for so long, on a device that takes `msOf(size)` for one; tells the sizes that it settled on. */
const runFor = (ms: number, from: BatchState, msOf: (size: number) => number, within = limits, startAt = 0) => {
  let state = from;
  let now = startAt;
  let tried = 0;
  const sizes = [settledSize(state)];
  while (now < startAt + ms) {
    const runMs = msOf(state.size);
    now += runMs;
    if (state.size !== settledSize(state)) tried += runMs;
    state = afterBatch(state, { photos: state.size, runMs }, within, now);
    if (sizes.at(-1) !== settledSize(state)) sizes.push(settledSize(state));
  }
  return { state, sizes, now, triedShare: tried / ms };
};

describe('automatic batch size', () => {
  it('climbs to the ceiling while each doubling pays', () => {
    expect(runFor(60_000, firstBatch(limits), (size) => 20 + size).sizes).toEqual([1, 2, 4, 8, 16]);
  });

  it('keeps one photo a batch where two are no faster, and does not hunt', () => {
    const { state, sizes, triedShare } = runFor(settledMs, firstBatch(limits), (size) => 39 * size);
    expect(sizes).toEqual([1]);
    expect(state).toMatchObject({ size: 1, trial: null });
    expect(triedShare).toBeLessThan(0.03);
  });

  it('tries ever more rarely what gained nothing', () => {
    const starts: number[] = [];
    let state = firstBatch(limits);
    for (let now = 0; now < 20 * settledMs; now += 40) {
      const before = state;
      state = afterBatch(state, { photos: state.size, runMs: 40 * state.size }, limits, now);
      if (state.trial && !before.trial) starts.push(now);
    }
    const pauses = starts.slice(1).map((start, i) => Math.floor((start - starts[i]!) / settledMs));
    expect(pauses).toEqual([1, 2, 4, 8]);
  });

  it('goes no further than where doubling makes it slower', () => {
    const cost: Record<number, number> = { 1: 30, 2: 40, 4: 60, 8: 160, 16: 400 };
    expect(runFor(60_000, firstBatch(limits), (size) => cost[size]!).sizes).toEqual([1, 2, 4]);
  });

  it('stays inside the time limit of a photo although more would be faster', () => {
    const { sizes } = runFor(120_000, firstBatch(limits), (size) => 250 + 100 * size);
    expect(sizes).toEqual([1, 2, 4]);
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

  it('gives up a size that there are not photos enough for', () => {
    let state = runFor(3000, firstBatch(limits), (size) => 20 + size).state;
    expect(state).toMatchObject({ size: 2, trial: { from: 1, to: 2 } });
    for (let i = 0; i < 8; i += 1) state = afterBatch(state, { photos: 1, runMs: 21 }, limits, 3000 + 100 * i);
    expect(state).toMatchObject({ size: 1, trial: null });
    expect(runFor(settledMs / 2, state, (size) => 20 + size, limits, 4000).state).toMatchObject({
      size: 1,
      trial: null,
    });
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

  it('comes within a twentieth of the best size on any quiet device', () => {
    const device = fc.record({ fixed: fc.integer({ min: 0, max: 100 }), each: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(device, ({ fixed, each }) => {
        const open = { ...limits, slaMs: 1e9 };
        const rate = (size: number) => size / (fixed + each * size);
        const { state } = runFor(settledMs, firstBatch(open), (size) => size / rate(size), open);
        const best = Math.max(...[1, 2, 4, 8, 16].map(rate));
        expect(rate(settledSize(state))).toBeGreaterThanOrEqual(0.95 * best);
      }),
    );
  });

  describe('on a device whose every batch takes up to a fifth longer or shorter', () => {
    const curves = {
      flat: () => 40,
      rising: (size: number) => 10 + 60 / size,
      'rising, then falling': (size: number) => 20 + 40 / size + 2 * size,
      falling: (size: number) => 40 + 2 * size,
    };
    it.each(Object.entries(curves))('settles near the best: %s', (_, msEach) => {
      fc.assert(
        fc.property(
          fc.array(fc.double({ min: 0.8, max: 1.2, noNaN: true }), { minLength: 997, maxLength: 997 }),
          (noise) => {
            let i = 0;
            const open = { ...limits, slaMs: 1e9 };
            const cost = (size: number) => {
              i += 1;
              return size * msEach(size) * noise[i % noise.length]!;
            };
            const { state } = runFor(settledMs, firstBatch(open), cost, open);
            const best = Math.min(...[1, 2, 4, 8, 16].map(msEach));
            expect(msEach(settledSize(state))).toBeLessThanOrEqual(best / 0.9);
          },
        ),
        // Always the same fifty, so that no unlucky one comes one day.
        { numRuns: 50, seed: 1 },
      );
    });
  });

  it('makes nobody wait for a batch that gains little, and batches for those who wait where it gains much', () => {
    const little = runFor(60_000, firstBatch(limits), (size) => 4 + 40 * size).state;
    expect(little.size).toBeGreaterThan(1);
    expect(urgentBatch(little)).toBe(1);
    const much = runFor(60_000, firstBatch(limits), (size) => 20 + size).state;
    expect(urgentBatch(much)).toBe(16);
    expect(urgentBatch(underCeiling(much, { ...limits, ceiling: 3 }))).toBe(3);
  });

  it('learns from people alone', () => {
    let state = firstBatch(limits);
    for (let now = 0; now < 60_000; now += 30) {
      const photos = urgentBatch(state);
      state = afterBatch(state, { photos, runMs: 20 + photos }, limits, now);
    }
    expect(urgentBatch(state)).toBe(16);
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
