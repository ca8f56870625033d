import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSettings, type LadderSettings } from '../../../main/contract/settings.ts';
import {
  admitted,
  batchDivisor,
  type LadderState,
  type Observation,
  observe,
  onFallback,
  rungsOf,
  sizeSteps,
  topOfLadder,
} from '../../../main/inference/core/ladder-state.ts';

const settings = defaultSettings.ladder;
const free = { reduced: null, slowed: false, smallerSizes: 0 };
const codes = (state: LadderState, with_: LadderSettings = settings) =>
  rungsOf(state, with_, free).map(({ code }) => code);

/** Observations with the moment of each. */
const walk = (steps: readonly (readonly [number, Observation])[], from = topOfLadder): LadderState =>
  steps.reduce((state, [now, seen]) => observe(state, seen, settings, now), from);
const timeOuts = (count: number, at = 0) => Array.from({ length: count }, () => [at, { kind: 'timed_out' }] as const);
const memory = (at: number, usedPercent: number) => [at, { kind: 'memory', usedPercent }] as const;

describe('time limits', () => {
  it('put photos off, and pause judging after five in a row', () => {
    expect(codes(walk(timeOuts(4)))).toEqual(['put_off']);
    expect(admitted(walk(timeOuts(4)), settings, 0)).toBe(Number.POSITIVE_INFINITY);
    const open = walk(timeOuts(5));
    expect(codes(open)).toEqual(['paused']);
    expect(admitted(open, settings, settings.breakerPauseMs - 1)).toBe(0);
  });

  it('count only in a row', () => {
    const state = walk([...timeOuts(4), [0, { kind: 'in_time' }], ...timeOuts(4)]);
    expect(codes(state)).toEqual(['put_off']);
  });

  it('let one photo through after the pause: it closes the breaker, or doubles the pause', () => {
    const open = walk(timeOuts(5));
    const later = settings.breakerPauseMs;
    expect(admitted(open, settings, later)).toBe(1);
    expect(codes(walk([[later, { kind: 'in_time' }]], open))).toEqual([]);
    const again = walk(timeOuts(1, later), open);
    expect(admitted(again, settings, later + 2 * settings.breakerPauseMs - 1)).toBe(0);
    expect(admitted(again, settings, later + 2 * settings.breakerPauseMs)).toBe(1);
  });

  it('are not decided by what was under way when the breaker opened', () => {
    const open = walk(timeOuts(5));
    expect(walk([[1, { kind: 'in_time' }], ...timeOuts(3, 2)], open)).toEqual(open);
  });
});

describe('memory', () => {
  it('halves the batch over the first mark, quarters it over the second', () => {
    expect(batchDivisor(walk([memory(0, 60)]), settings, 0)).toBe(1);
    expect(batchDivisor(walk([memory(0, 61)]), settings, 0)).toBe(2);
    expect(batchDivisor(walk([memory(0, 81)]), settings, 0)).toBe(4);
    expect(codes(walk([memory(0, 61)]))).toEqual(['batch_reduced']);
  });

  it('makes the input smaller where the pack has a smaller one, and the batch only beyond that', () => {
    const [first, second] = [walk([memory(0, 61)]), walk([memory(0, 81)])];
    const told = (state: LadderState, smallerSizes: number) => ({
      steps: sizeSteps(state, settings, smallerSizes),
      divisor: batchDivisor(state, settings, smallerSizes),
      codes: rungsOf(state, settings, { ...free, smallerSizes }).map(({ code }) => code),
    });
    expect(told(first, 1)).toEqual({ steps: 1, divisor: 1, codes: ['input_reduced'] });
    expect(told(second, 1)).toEqual({ steps: 1, divisor: 2, codes: ['input_reduced', 'batch_reduced'] });
    expect(told(second, 3)).toEqual({ steps: 2, divisor: 1, codes: ['input_reduced'] });
  });

  it('raises the grades while the input is smaller, and only then', () => {
    const traits = { ...free, smallerSizes: 1, reduced: 'input' as const };
    expect(rungsOf(walk([memory(0, 61)]), settings, traits)).toEqual([
      { rung: 2, code: 'input_reduced', cause: 'memory' },
      { rung: 3, code: 'grades_raised', cause: 'memory' },
    ]);
    expect(rungsOf(topOfLadder, { ...settings, pinned: 2 }, traits).map(({ cause }) => cause)).toEqual([
      'pinned',
      'pinned',
    ]);
  });

  it('leaves a rung five points lower for thirty seconds, and not before', () => {
    const full = walk([memory(0, 70)]);
    const level = (steps: readonly (readonly [number, Observation])[]) => walk(steps, full).memory.level;
    expect(level([memory(1000, 58), memory(60_000, 57)])).toBe(1);
    expect(level([memory(1000, 54), memory(30_000, 54)])).toBe(1);
    expect(level([memory(1000, 54), memory(31_000, 54)])).toBe(0);
    expect(level([memory(1000, 54), memory(20_000, 58), memory(40_000, 54), memory(69_000, 54)])).toBe(1);
    expect(walk([memory(0, 90), memory(1000, 70), memory(31_000, 70)]).memory.level).toBe(1);
  });
});

describe('out of memory and a lost device', () => {
  it('first halves the batch, then falls back to the CPU', () => {
    const once = walk([[0, { kind: 'out_of_memory' }]]);
    expect([batchDivisor(once, settings, 0), onFallback(once, settings)]).toEqual([2, false]);
    const twice = walk([[1000, { kind: 'out_of_memory' }]], once);
    expect(rungsOf(twice, settings, free)).toContainEqual({ rung: 4, code: 'device_fallback', cause: 'memory' });
  });

  it('forgets one running out of memory after a calm spell', () => {
    const later = settings.calmMs + 1;
    const calm = walk([
      [0, { kind: 'out_of_memory' }],
      [later, { kind: 'tick' }],
    ]);
    expect(batchDivisor(calm, settings, 0)).toBe(1);
    expect(onFallback(walk([[later, { kind: 'out_of_memory' }]], calm), settings)).toBe(false);
  });

  it('falls back at once when the device is lost; tries again ever more rarely until it is back', () => {
    const lost = walk([[0, { kind: 'device_lost' }]]);
    expect(lost.fallback).toMatchObject({ cause: 'device', probeAt: settings.probeAgainMs });
    const now = settings.probeAgainMs;
    const still = walk([[now, { kind: 'probed', back: false }]], lost);
    expect(still.fallback?.probeAt).toBe(now + 2 * settings.probeAgainMs);
    expect(codes(walk([[now, { kind: 'probed', back: true }]], still))).toEqual([]);
  });
});

describe('a rung held by hand', () => {
  it.each([
    [1, 'paused'],
    [2, 'batch_reduced'],
    [3, 'grades_raised'],
    [4, 'device_fallback'],
  ] as const)('%i', (pinned, code) => {
    const held = { ...settings, pinned };
    expect(rungsOf(topOfLadder, held, free)).toEqual([{ rung: pinned, code, cause: 'pinned' }]);
    expect(admitted(topOfLadder, held, 0)).toBe(pinned === 1 ? 0 : Number.POSITIVE_INFINITY);
    expect(batchDivisor(topOfLadder, held, 0)).toBe(pinned === 2 ? 2 : 1);
    expect(onFallback(topOfLadder, held)).toBe(pinned === 4);
  });
});

describe('any history', () => {
  const observation: fc.Arbitrary<Observation> = fc.oneof(
    fc.constantFrom<Observation>(
      { kind: 'timed_out' },
      { kind: 'in_time' },
      { kind: 'out_of_memory' },
      { kind: 'device_lost' },
      { kind: 'not_finite' },
      { kind: 'tick' },
      { kind: 'probed', back: false },
    ),
    fc.record({ kind: fc.constant('memory' as const), usedPercent: fc.double({ min: 0, max: 100, noNaN: true }) }),
  );

  it('ends at the top within two minutes of calm, and names each rung once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(observation, fc.nat(20_000)), { maxLength: 100 }), (steps) => {
        let state = topOfLadder;
        let now = 0;
        for (const [seen, wait] of steps) {
          now += wait;
          state = observe(state, seen, settings, now);
          const active = rungsOf(state, settings, free).map(({ code }) => code);
          expect(new Set(active).size).toBe(active.length);
        }
        const end = now + 120_000;
        for (; now <= end; now += 1000) {
          state = observe(state, { kind: 'tick' }, settings, now);
          state = observe(state, { kind: 'memory', usedPercent: 30 }, settings, now);
          // The one photo that a half-open breaker lets through is judged in time.
          if (admitted(state, settings, now) > 0) state = observe(state, { kind: 'in_time' }, settings, now);
          // An engine that falls back tries its device when that is due.
          if (state.fallback) state = observe(state, { kind: 'probed', back: true }, settings, now);
        }
        expect(rungsOf(state, settings, free)).toEqual([]);
      }),
    );
  });
});
