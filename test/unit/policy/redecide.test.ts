import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, undecided } from '../../../main/policy/policy.ts';
import { redecide } from '../../../main/policy/redecide.ts';
import { calibration, judgement, marks, thresholds } from './arbitraries.ts';

const platt = fc.option(calibration, { nil: undefined });

describe('deciding again', () => {
  it('gives what deciding at once would have given', () => {
    fc.assert(
      fc.property(judgement, thresholds, thresholds, platt, platt, marks, (raw, before, after, first, then, m) => {
        const { label, reason } = decide(raw, before, first, m);
        const again = redecide({ p: raw.p, caps: raw.caps, label, reason }, after, then, m);
        const { reason: _, ...expected } = decide(raw, after, then, m);
        expect(again).toMatchObject(expected);
      }),
    );
  });

  it('changes nothing under the same policy', () => {
    fc.assert(
      fc.property(judgement, thresholds, platt, marks, (raw, limits, first, m) => {
        const verdict = decide(raw, limits, first, m);
        const { label, reason } = verdict;
        expect(redecide({ p: raw.p, caps: raw.caps, label, reason }, limits, first, m)).toEqual(verdict);
      }),
    );
  });

  it('says of a photo that nothing was judged of what is said of it now', () => {
    const m = { damaged: false, degraded: false, flagged: false, blurred: false, small: false };
    const limits = { yes: 0.75, no: 0.75 };
    for (const reason of [
      { code: 'flat', params: { standardDeviation: 2 } },
      { code: 'timed_out', params: { limitMs: 5000 } },
    ] as const) {
      expect(redecide({ p: null, reason }, limits, undefined, m)).toEqual(undecided(reason));
    }
  });

  it('finds again what was seen once it suffices', () => {
    const seen = { code: 'seen', params: { concept: 'dog', evidence: [{ name: 'beagle', score: 0.7 }] } } as const;
    const raw = { p: { yes: 0.7, no: 0.2, maybe: 0.1 }, caps: [], reason: seen };
    const strict = { yes: 0.75, no: 0.75 };
    const m = { damaged: false, degraded: false, flagged: false, blurred: false, small: false };
    const { label, reason } = decide(raw, strict, undefined, m);
    expect([label, reason.code]).toEqual(['maybe', 'unsure']);
    const again = redecide({ p: raw.p, caps: [], label, reason }, { yes: 0.6, no: 0.6 }, undefined, m);
    expect(again).toMatchObject({ label: 'yes', reason: seen });
  });
});
