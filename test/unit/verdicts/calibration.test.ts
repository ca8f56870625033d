import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrate } from '../../../main/verdicts/calibration.ts';
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
