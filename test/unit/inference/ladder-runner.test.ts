/** The walk down and up the ladder, with an engine that only notes what it is told to do. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defaultSettings } from '../../../main/contract/settings.ts';
import { type LadderStep, type LadderWalk, walkLadder } from '../../../main/inference/core/ladder-runner.ts';

const settings = { ...defaultSettings.ladder, probeAgainMs: 1000 };
let steps: LadderStep[];
let fallback: boolean[];
let walk: LadderWalk;

beforeEach(() => {
  vi.useFakeTimers();
  steps = [];
  fallback = [];
});
afterEach(() => {
  walk.close();
  vi.useRealTimers();
});

const start = (probe: () => Promise<boolean>) => {
  walk = walkLadder({
    settings,
    readMemory: async () => ({ freeBytes: 1e9, usedPercent: 10 }),
    traits: () => ({ reduced: null, slowed: false, smallerSizes: 0 }),
    tell: (step) => steps.push(step),
    admit: () => undefined,
    divideBatch: () => undefined,
    place: (place) => {
      if (place.fallback !== undefined) fallback.push(place.fallback);
    },
    probe,
  });
};

it('tries a lost device again, leaves the rung once it is back, and tells both with why and how long', async () => {
  let back = false;
  start(async () => back);
  walk.note({ kind: 'device_lost' });
  expect(fallback.at(-1)).toBe(true);
  await vi.advanceTimersByTimeAsync(1500);
  expect(walk.now()).toMatchObject([{ code: 'device_fallback', cause: 'device' }]);
  back = true;
  await vi.advanceTimersByTimeAsync(2500);
  expect(walk.now()).toEqual([]);
  expect(fallback.at(-1)).toBe(false);
  expect(steps.map(({ step, why }) => [step, why])).toEqual([
    ['entered', 'the device was lost'],
    ['left', 'the device was lost'],
  ]);
  expect(steps[1]!.lastedMs).toBeGreaterThanOrEqual(3000);
  expect(walk.past()).toHaveLength(1);
});

it('stays on the CPU where that was pinned while the device was tried', async () => {
  start(async () => {
    walk.set({ ...settings, pinned: 4 });
    return true;
  });
  walk.note({ kind: 'device_lost' });
  await vi.advanceTimersByTimeAsync(2000);
  expect(walk.now()).toMatchObject([{ code: 'device_fallback', cause: 'pinned' }]);
  expect(fallback.at(-1)).toBe(true);
  walk.set(settings);
  expect(walk.now()).toEqual([]);
  expect(fallback.at(-1)).toBe(false);
});

it('lists what is over with the newest first', async () => {
  start(async () => true);
  for (const pinned of [1, 3] as const) {
    walk.set({ ...settings, pinned });
    await vi.advanceTimersByTimeAsync(10);
    walk.set(settings);
  }
  expect(walk.past().map(({ code }) => code)).toEqual(['grades_raised', 'paused']);
});
