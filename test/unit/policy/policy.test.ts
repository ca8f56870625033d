import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Probabilities } from '../../../main/contract/labels.ts';
import type { Cap, VerdictReason } from '../../../main/contract/reason.ts';
import type { Judgement } from '../../../main/contract/seam.ts';
import {
  applyCaps,
  chooseThresholds,
  combineParts,
  decide,
  languageUnsupported,
  noMarks,
  undecided,
} from '../../../main/policy/policy.ts';
import { calibration, cap, judgement, marks, probabilities, threshold, thresholds } from './arbitraries.ts';

const sum = (p: Probabilities) => p.yes + p.no + p.maybe;
const seen = (concept: string): VerdictReason => ({ code: 'seen', params: { concept, evidence: [] } });
const says = (yes: number, no: number, concept = 'dog', caps: readonly Cap[] = []): Judgement => ({
  p: { yes, no, maybe: 1 - yes - no },
  caps,
  reason: seen(concept),
});
const unchecked = (side: 'yes' | 'no', limit: number, word = 'happy'): Cap => ({
  side,
  limit,
  reason: { code: 'words_not_checked', params: { words: [word], evidence: [] } },
});
const at75 = { yes: 0.75, no: 0.75 };

describe('thresholds', () => {
  it('come from the statement, then risk control, then the pack, then .75, side by side', () => {
    const side = fc.option(threshold, { nil: undefined });
    const source = fc.option(fc.record({ yes: side, no: side }), { nil: undefined });
    fc.assert(
      fc.property(source, source, source, (statement, riskControl, pack) => {
        const chosen = chooseThresholds({ statement, riskControl, pack } as Parameters<typeof chooseThresholds>[0]);
        for (const s of ['yes', 'no'] as const) {
          const given = [statement, riskControl, pack].map((x) => x?.[s]).find((x) => x !== undefined);
          expect(chosen[s]).toBe(given ?? 0.75);
        }
      }),
    );
  });

  it('a higher one never decides more', () => {
    fc.assert(
      fc.property(judgement, threshold, threshold, (raw, a, b) => {
        const low = decide(raw, { yes: Math.min(a, b), no: Math.min(a, b) });
        const high = decide(raw, { yes: Math.max(a, b), no: Math.max(a, b) });
        if (high.label !== 'maybe') expect(low.label).toBe(high.label);
      }),
    );
  });
});

describe('caps', () => {
  it('move mass to maybe only, and keep a distribution', () => {
    fc.assert(
      fc.property(probabilities, fc.array(cap, { maxLength: 4 }), (p, caps) => {
        const capped = applyCaps(p, caps);
        expect(capped.yes).toBeLessThanOrEqual(p.yes);
        expect(capped.no).toBeLessThanOrEqual(p.no);
        expect(capped.maybe).toBeGreaterThanOrEqual(p.maybe - 1e-12);
        expect(sum(capped)).toBeCloseTo(1, 9);
        expect(Math.min(capped.yes, capped.no, capped.maybe)).toBeGreaterThanOrEqual(0);
        for (const { side, limit } of caps) expect(capped[side]).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('leave the side undecided, whatever the threshold and the mass', () => {
    fc.assert(
      fc.property(
        judgement,
        cap,
        thresholds,
        fc.option(calibration, { nil: undefined }),
        (raw, extra, limits, platt) => {
          const verdict = decide({ ...raw, caps: [...raw.caps, extra] }, limits, platt);
          expect(verdict.label).not.toBe(extra.side);
        },
      ),
    );
    expect(decide(says(0.55, 0, 'dog', [unchecked('yes', 0.6)]), { yes: 0.5, no: 0.5 })).toMatchObject({
      label: 'maybe',
      lean: 'yes',
      grade: 'low',
    });
  });

  it('do not touch the other side', () => {
    expect(decide(says(0.03, 0.97, 'dog', [unchecked('yes', 0.6)]), at75)).toMatchObject({
      label: 'no',
      grade: 'high',
    });
  });
});

describe('a verdict', () => {
  it('is consistent: distribution, lean, confidence, grade, label, review', () => {
    fc.assert(
      fc.property(judgement, thresholds, fc.option(calibration, { nil: undefined }), marks, (raw, limits, platt, m) => {
        const verdict = decide(raw, limits, platt, m);
        const { p, lean, confidence, grade, label } = verdict;
        if (p === null || lean === null || confidence === null) throw new Error('judged, so not null');
        expect(sum(p)).toBeCloseTo(1, 6);
        expect(Math.min(p.yes, p.no, p.maybe)).toBeGreaterThanOrEqual(0);
        expect(confidence).toBe(p[lean]);
        expect(confidence).toBe(Math.max(p.yes, p.no, p.maybe));
        const capped = raw.caps.some((c) => c.side === lean);
        const limit = lean === 'maybe' ? 0.75 : limits[lean];
        const weak = m.degraded && lean !== 'maybe' && confidence < Math.max(0.92, limit);
        expect(grade === 'low').toBe(capped || confidence < limit || weak);
        if (grade === 'high') expect(confidence).toBeGreaterThanOrEqual(Math.max(0.92, limit));
        expect(label).toBe(grade === 'low' ? 'maybe' : lean);
        expect(verdict.wantsReview).toBe(label === 'maybe' || grade !== 'high' || Object.values(m).some(Boolean));
      }),
    );
  });

  it.each([
    [0.93, 'high', 'yes'],
    [0.92, 'high', 'yes'],
    [0.9199, 'medium', 'yes'],
    [0.75, 'medium', 'yes'],
    [0.7499, 'low', 'maybe'],
  ] as const)('with p(yes) %d is of grade %s and labelled %s', (yes, grade, label) => {
    expect(decide(says(yes, 1 - yes), at75)).toMatchObject({ grade, label, lean: 'yes' });
  });

  it('lets only a decision of grade high stand on a degraded judgement', () => {
    const degraded = { ...noMarks, degraded: true };
    const of = (yes: number) => decide(says(yes, 1 - yes), at75, undefined, degraded);
    expect(of(0.91)).toMatchObject({ grade: 'low', label: 'maybe', lean: 'yes' });
    expect(of(0.93)).toMatchObject({ grade: 'high', label: 'yes', wantsReview: true });
  });

  it('needs more than .92 for grade high where the threshold is higher', () => {
    expect(decide(says(0.94, 0.06), { yes: 0.95, no: 0.75 })).toMatchObject({ grade: 'low', label: 'maybe' });
    expect(decide(says(0.95, 0.05), { yes: 0.95, no: 0.75 })).toMatchObject({ grade: 'high', label: 'yes' });
  });

  it('rises with p(yes)', () => {
    fc.assert(
      fc.property(
        probabilities,
        fc.double({ min: 0, max: 1, noNaN: true }),
        thresholds,
        calibration,
        (p, t, limits, platt) => {
          const more = { yes: p.yes + t * p.no, no: (1 - t) * p.no, maybe: p.maybe };
          const before = decide({ ...says(0, 0), p }, limits, platt);
          const after = decide({ ...says(0, 0), p: more }, limits, platt);
          expect(after.p!.yes).toBeGreaterThanOrEqual(before.p!.yes - 1e-9);
        },
      ),
    );
  });

  it('of a marked photo wants review however sure it is', () => {
    expect(decide(says(0.99, 0.01), at75).wantsReview).toBe(false);
    for (const mark of Object.keys(noMarks)) {
      expect(decide(says(0.99, 0.01), at75, undefined, { ...noMarks, [mark]: true }).wantsReview).toBe(true);
    }
  });
});

describe('parts joined by AND', () => {
  it('p(yes) is the least, p(no) the most after caps, the rest maybe', () => {
    fc.assert(
      fc.property(fc.array(judgement, { minLength: 1, maxLength: 3 }), (parts) => {
        const joined = combineParts(parts, []);
        expect(joined.p.yes).toBe(Math.min(...parts.map((part) => part.p.yes)));
        const each = parts.map((part) => applyCaps(part.p, part.caps));
        const capped = applyCaps(joined.p, joined.caps);
        expect(capped.yes).toBeCloseTo(Math.min(...each.map((p) => p.yes)), 12);
        expect(capped.no).toBeCloseTo(Math.max(...each.map((p) => p.no)), 12);
        expect(sum(joined.p)).toBeCloseTo(1, 9);
        expect(joined.p.maybe).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('do not depend on their order', () => {
    fc.assert(
      fc.property(judgement, judgement, thresholds, (a, b, limits) => {
        const one = decide(combineParts([a, b], []), limits);
        const other = decide(combineParts([b, a], []), limits);
        expect(one.label).toBe(other.label);
        expect(one.p!.yes).toBe(other.p!.yes);
      }),
    );
  });

  it('a part never makes YES likelier', () => {
    fc.assert(
      fc.property(fc.array(judgement, { minLength: 1, maxLength: 2 }), judgement, (parts, extra) => {
        expect(combineParts([...parts, extra], []).p.yes).toBeLessThanOrEqual(combineParts(parts, []).p.yes);
      }),
    );
  });

  it('one part denied for sure denies all, though another part may not be denied', () => {
    const parts = [says(0.1, 0.9, 'dog', [unchecked('no', 0.6)]), says(0.05, 0.95, 'cat')];
    expect(decide(combineParts(parts, []), at75)).toMatchObject({ label: 'no', reason: seen('cat') });
  });

  it('gives the reason of the part that decides', () => {
    expect(decide(combineParts([says(0.99, 0.01, 'dog'), says(0.8, 0.2, 'cat')], []), at75).reason).toEqual(
      seen('cat'),
    );
    expect(decide(combineParts([says(0.02, 0.98, 'dog'), says(0.8, 0.2, 'cat')], []), at75).reason).toEqual(
      seen('dog'),
    );
  });

  it('what was cut caps YES and not NO', () => {
    const cut = ['a fourth thing'];
    expect(decide(combineParts([says(1, 0)], cut), { yes: 0.5, no: 0.5 })).toMatchObject({
      label: 'maybe',
      reason: { code: 'not_all_checked', params: { cut } },
    });
    expect(decide(combineParts([says(0, 1)], cut), at75).label).toBe('no');
  });

  it('refuses a statement of no part', () => {
    expect(() => combineParts([], [])).toThrow(RangeError);
  });
});

describe('the reason', () => {
  it('is the strictest cap on the side that the photo spoke for', () => {
    const caps = [unchecked('yes', 0.6, 'happy'), unchecked('yes', 0.55, 'old'), unchecked('no', 0.1, 'red')];
    expect(decide(says(0.9, 0.1, 'dog', caps), at75).reason).toEqual(caps[1]!.reason);
    expect(decide(says(0.1, 0.9, 'dog', caps), at75).reason).toEqual(caps[2]!.reason);
  });

  it('tells what was seen beside the words that were not checked', () => {
    const evidence = [{ name: 'Labrador retriever', score: 0.91 }];
    const raw: Judgement = {
      ...says(0.9, 0.1, 'dog', [unchecked('yes', 0.6, 'running')]),
      reason: { code: 'seen', params: { concept: 'dog', evidence } },
    };
    expect(decide(raw, at75).reason).toEqual({ code: 'words_not_checked', params: { words: ['running'], evidence } });
  });

  it('is that one is unsure where something was seen but not clearly enough', () => {
    expect(decide(says(0.7, 0.3), at75).reason.code).toBe('unsure');
    expect(decide(says(0.7, 0.3), { yes: 0.7, no: 0.75 }).reason.code).toBe('seen');
  });

  it('is the language where the pack does not speak it', () => {
    const verdict = decide(languageUnsupported('zh'), { yes: 0.5, no: 0.5 });
    expect(verdict).toMatchObject({ label: 'maybe', wantsReview: true, p: { yes: 0, no: 0, maybe: 1 } });
    expect(verdict.reason).toEqual({ code: 'language_unsupported', params: { language: 'zh' } });
  });
});

it('a photo that was not judged has no p, no lean, no confidence', () => {
  const reason = { code: 'flat', params: { standardDeviation: 3 } } as const;
  expect(undecided(reason)).toEqual({
    p: null,
    lean: null,
    confidence: null,
    grade: 'low',
    label: 'maybe',
    reason,
    wantsReview: true,
    near: false,
  });
});
