import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weightedShare, wilson } from '../../../main/policy/intervals.ts';
import {
  type AuditedDecision,
  chooseThreshold,
  hoeffdingBentkus,
  planRisk,
  reviewsNeeded,
} from '../../../main/policy/risk.ts';

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

/** How often a decision of this score is wrong: a tenth of all between .5 and 1. */
const errorAt = (score: number): number => 0.4 * (1 - score);
const drawn = (count: number, next: () => number, weightOf: (score: number) => number): readonly AuditedDecision[] =>
  Array.from({ length: count }, () => {
    const score = 0.5 + next() / 2;
    return { score, wrong: next() < errorAt(score), weight: weightOf(score) };
  });
/** The model's true error among all pairs with at least this score: the mean of `errorAt` from there to 1. */
const trueError = (threshold: number): number => errorAt((threshold + 1) / 2);

describe('risk control', () => {
  it.each([
    [0.05, 45],
    [0.1, 45],
    [0.01, 230],
  ])('needs enough reviews for an error of %s: %s', (target, needed) => {
    expect(reviewsNeeded(target)).toBe(needed);
    const sure = Array.from({ length: needed - 3 }, () => ({ score: 0.99, wrong: false, weight: 1 }));
    expect(planRisk(sure, target)).toMatchObject({ missing: 3, thresholds: null, decided: null });
    expect(planRisk([...sure, ...sure.slice(0, 3)], target)).toMatchObject({ missing: 0, thresholds: { yes: 0.99 } });
  });

  it('lets the true error pass the target in at most a tenth of draws, with equal chances and with unequal ones', () => {
    for (const weights of ['equal', 'unequal'] as const) {
      for (const target of [0.05, 0.1]) {
        const next = random(11);
        let passed = 0;
        let found = 0;
        const draws = 300;
        for (let draw = 0; draw < draws; draw += 1) {
          // With unequal chances, surer pairs were drawn half as often: draw all, then drop every second of them.
          const all = drawn(800, next, () => 1).filter(
            ({ score }) => weights === 'equal' || score! < 0.75 || next() < 0.5,
          );
          const audited =
            weights === 'equal' ? all : all.map((pair) => ({ ...pair, weight: pair.score! < 0.75 ? 1 : 2 }));
          const threshold = chooseThreshold(audited, target);
          if (threshold === null) continue;
          found += 1;
          if (trueError(threshold) > target) passed += 1;
        }
        // Three standard deviations of a binomial at the promised rate.
        expect(passed / draws, `${weights} ${target}`).toBeLessThanOrEqual(0.1 + 3 * Math.sqrt((0.1 * 0.9) / draws));
        if (weights === 'equal') expect(found / draws, `${target}`).toBeGreaterThan(0.5);
      }
    }
  });

  it('says why nothing keeps the target, and which error would', () => {
    const of = (count: number, score: number | null, wrongEach: number) =>
      Array.from({ length: count }, (_, i) => ({ score, wrong: i % wrongEach === 0, weight: 1 }));
    // One in five is wrong, however sure.
    const fifth = [...of(100, 0.95, 5), ...of(100, 0.6, 5)];
    const { thresholds, decided, unkept } = planRisk(fifth, 0.05);
    expect([thresholds, decided]).toEqual([null, null]);
    expect(unkept).toMatchObject({ surest: 100, wrong: 20 });
    expect(unkept!.least).toBeGreaterThan(0.2);
    expect(planRisk(fifth, unkept!.least!)).toMatchObject({ missing: 0, unkept: null });
    expect(planRisk(fifth, unkept!.least! - 0.01).thresholds).toBeNull();
    // Nothing that could be decided at all.
    expect(planRisk(of(60, null, 1), 0.05).unkept).toEqual({ surest: 0, wrong: 0, least: null });
    // Too few reviews is another matter.
    expect(planRisk(of(40, 0.9, 2), 0.05).unkept).toBeNull();
  });

  it('never decides what cannot be decided, and decides no less for a higher accepted error', () => {
    const pair = fc.record({
      score: fc.option(fc.double({ min: 0.4, max: 1, noNaN: true }), { nil: null }),
      wrong: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
      weight: fc.constant(4),
    });
    fc.assert(
      fc.property(fc.array(pair, { minLength: 45, maxLength: 200 }), (audited) => {
        const plan = planRisk(audited, 0.1);
        if (!plan.thresholds) return;
        const { yes } = plan.thresholds;
        expect(yes).toBeGreaterThanOrEqual(0.5);
        const decided = audited.filter(({ score }) => score !== null && score >= yes);
        expect(plan.decided?.value).toBeCloseTo(decided.length / audited.length);
        expect(plan.error?.value).toBeCloseTo(decided.filter(({ wrong }) => wrong).length / decided.length);
        expect(plan.error?.value).toBeLessThan(0.1);
      }),
    );
  });

  it('takes no threshold from answers that are no better than chance', () => {
    const next = random(3);
    const audited = Array.from({ length: 500 }, () => ({ score: 0.5 + next() / 2, wrong: next() < 0.5, weight: 1 }));
    expect(chooseThreshold(audited, 0.1)).toBeNull();
  });

  it('has p-values that fall with more evidence and lie between 0 and 1', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 2000 }), (mean, n) => {
        const p = hoeffdingBentkus(mean, n, 0.1);
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
        if (mean >= 0.1) expect(p).toBe(1);
      }),
    );
    expect(hoeffdingBentkus(0, 45, 0.05)).toBeCloseTo(0.95 ** 45);
    expect(hoeffdingBentkus(0.02, 2000, 0.05)).toBeLessThan(hoeffdingBentkus(0.02, 200, 0.05));
  });
});

describe('intervals', () => {
  it('are those of Wilson', () => {
    expect(wilson(0, 0)).toBeNull();
    const share = wilson(81, 263)!;
    expect([share.low, share.high].map((x) => x.toFixed(4))).toEqual(['0.2553', '0.3662']);
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (part, rest) => {
        fc.pre(part + rest > 0);
        const { low, value, high } = wilson(part, part + rest)!;
        expect(0 <= low && low <= value && value <= high && high <= 1).toBe(true);
      }),
    );
  });

  it('are wider for unequal weights, and the same for equal ones', () => {
    const items = Array.from({ length: 40 }, (_, i) => ({ holds: i % 4 === 0, weight: 3 }));
    const equal = weightedShare(items)!;
    expect(equal).toMatchObject({ value: 0.25, of: 40 });
    expect(equal.high).toBeCloseTo(wilson(10, 40)!.high);
    const unequal = weightedShare(items.map((item, i) => ({ ...item, weight: i < 20 ? 1 : 9 })))!;
    expect(unequal.high - unequal.low).toBeGreaterThan(equal.high - equal.low);
  });
});
