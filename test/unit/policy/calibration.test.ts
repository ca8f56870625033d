import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrate, fitCalibration } from '../../../main/policy/calibration.ts';
import { reliabilityOf } from '../../../main/policy/reliability.ts';
import { calibration, probabilities } from './arbitraries.ts';

describe('calibrate', () => {
  it('keeps p as it is where a pack has no calibration', () => {
    fc.assert(
      fc.property(probabilities, (p) => {
        expect(calibrate(p, undefined)).toBe(p);
      }),
    );
  });

  it('slope 1 and offset 0 change nothing', () => {
    fc.assert(
      fc.property(probabilities, (p) => {
        const same = calibrate(p, { slope: 1, offset: 0 });
        expect(same.yes).toBeCloseTo(p.yes, 5);
        expect(same.no).toBeCloseTo(p.no, 5);
      }),
    );
  });

  it('keeps maybe, a distribution, and the order', () => {
    fc.assert(
      fc.property(probabilities, calibration, fc.double({ min: 0, max: 1, noNaN: true }), (p, platt, t) => {
        const out = calibrate(p, platt);
        expect(out.maybe).toBe(p.maybe);
        expect(out.yes + out.no + out.maybe).toBeCloseTo(1, 9);
        expect(Math.min(out.yes, out.no)).toBeGreaterThanOrEqual(0);
        const more = calibrate({ yes: p.yes + t * p.no, no: (1 - t) * p.no, maybe: p.maybe }, platt);
        expect(more.yes).toBeGreaterThanOrEqual(out.yes - 1e-9);
      }),
    );
  });

  it('follows the formula', () => {
    // logit(.8) = ln 4; sigmoid(2 ln 4 - ln 4) = .8; with slope 2 and no offset 16/17.
    expect(calibrate({ yes: 0.8, no: 0.2, maybe: 0 }, { slope: 2, offset: -Math.log(4) }).yes).toBeCloseTo(0.8, 9);
    expect(calibrate({ yes: 0.4, no: 0.1, maybe: 0.5 }, { slope: 2, offset: 0 }).yes).toBeCloseTo((0.5 * 16) / 17, 9);
  });
});

describe('fitting a calibration', () => {
  const random = (seed: number) => () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return seed / 4_294_967_296;
  };
  /** Pairs of a pack that is too sure: its logit is three times what the truth bears out, and off by one. */
  const cases = (count: number) => {
    const next = random(7);
    return Array.from({ length: count }, () => {
      const share = 0.01 + 0.98 * next();
      const honest = 1 / (1 + Math.exp(-(Math.log(share / (1 - share)) / 3 + 1)));
      return { p: { yes: share * 0.9, no: (1 - share) * 0.9, maybe: 0.1 }, yes: next() < honest, weight: 5 };
    });
  };

  it('finds the slope and offset that made the answers', () => {
    const fitted = fitCalibration(cases(20_000));
    expect(fitted?.slope).toBeCloseTo(1 / 3, 1);
    expect(fitted?.offset).toBeCloseTo(1, 1);
  });

  it('lowers the expected calibration error of other pairs', () => {
    const all = cases(4000);
    const fitted = fitCalibration(all.slice(0, 2000))!;
    const eceOf = (calibration: typeof fitted | undefined) =>
      reliabilityOf(
        all.slice(2000).map(({ p, yes, weight }) => ({ p: calibrate(p, calibration).yes / 0.9, yes, weight })),
      )!.ece;
    expect(eceOf(fitted)).toBeLessThan(eceOf(undefined) / 2);
  });

  it('needs sixty answers, and ten of each', () => {
    const mixed = cases(59);
    expect(fitCalibration(mixed)).toBeNull();
    expect(fitCalibration(cases(200).map((item) => ({ ...item, yes: true })))).toBeNull();
  });

  it('refuses scores that say the opposite', () => {
    const turned = cases(500).map(({ p, yes, weight }) => ({ p: { ...p, yes: p.no, no: p.yes }, yes, weight }));
    expect(fitCalibration(turned)).toBeNull();
  });

  it('ends in finite numbers whatever the answers', () => {
    const item = fc.record({
      p: probabilities,
      yes: fc.boolean(),
      weight: fc.double({ min: 1, max: 1000, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(item, { minLength: 60, maxLength: 120 }), (given) => {
        const fitted = fitCalibration(given);
        if (!fitted) return;
        expect(fitted.slope).toBeGreaterThan(0);
        expect(Number.isFinite(fitted.offset)).toBe(true);
      }),
    );
  });
});

describe('reliability', () => {
  it('is perfect where the share of yes is what was predicted', () => {
    const cases = Array.from({ length: 100 }, (_, i) => ({ p: 0.25, yes: i % 4 === 0, weight: 1 }));
    const { bins, ece } = reliabilityOf(cases)!;
    expect(bins.reduce((sum, { size }) => sum + size, 0)).toBe(100);
    expect(bins).toHaveLength(10);
    expect(ece).toBeLessThan(0.06);
    expect(reliabilityOf([])).toBeNull();
  });
});
