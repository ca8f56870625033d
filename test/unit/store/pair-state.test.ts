import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grades, labels } from '../../../main/contract/labels.ts';
import { hasMark, type PairInput, type PairReview, pairState } from '../../../main/store/sql/pair-state.ts';

const label = fc.constantFrom(...labels);
const grade = fc.constantFrom(...grades);
const verdict = fc.record({
  judging: fc.nat(9),
  label,
  grade,
  wants: fc.boolean(),
  degraded: fc.boolean(),
  near: fc.boolean(),
});
const step = fc.record({ kind: fc.constantFrom('confirm', 'override', 'skip', 'undo'), label });

/** Reviews as the store makes them: an undo takes back the last one that stands. */
const history = (steps: readonly { kind: string; label: 'yes' | 'no' | 'maybe' }[], on: PairInput['verdict']) => {
  const reviews: PairReview[] = [];
  const standing: PairReview[] = [];
  for (const { kind, label } of steps) {
    const seq = reviews.length + 1;
    const context = {
      id: String(seq),
      seq,
      judging: on.judging,
      verdictLabel: on.label,
      verdictGrade: on.grade,
      audit: false,
    };
    if (kind === 'undo') {
      const last = standing.pop();
      if (last) reviews.push({ ...context, kind: 'undo', undoes: last.id });
      continue;
    }
    const review: PairReview =
      kind === 'skip' ? { ...context, kind } : { ...context, kind: kind === 'confirm' ? 'confirm' : 'override', label };
    reviews.push(review);
    standing.push(review);
  }
  return { reviews, standing };
};

const input = fc
  .record({ verdict, damaged: fc.boolean(), steps: fc.array(step, { maxLength: 12 }), flagged: fc.boolean() })
  .map(({ verdict, damaged, steps, flagged }) => {
    const { reviews, standing } = history(steps, verdict);
    const flags = flagged ? [{ set: true, afterReview: 0 }] : [];
    return {
      pair: { verdict, otherPacks: [], drawn: false, damaged, reviews, flags } satisfies PairInput,
      standing,
    };
  });

describe('the state of a pair', () => {
  it('has the label of the last standing decision, else of the verdict', () => {
    fc.assert(
      fc.property(input, ({ pair, standing }) => {
        const decision = standing.findLast((review) => review.kind !== 'skip');
        const state = pairState(pair);
        expect(state.label).toBe(decision && 'label' in decision ? decision.label : pair.verdict.label);
        expect(hasMark(state.marks, 'reviewed')).toBe(decision !== undefined);
      }),
    );
  });

  it('wants no review once decided or skipped, else as its verdict or a flag says', () => {
    fc.assert(
      fc.property(input, ({ pair, standing }) => {
        const state = pairState(pair);
        const quiet = standing.some((review) => review.kind !== 'skip') || standing.at(-1)?.kind === 'skip';
        expect(state.wants).toBe(!quiet && (pair.verdict.wants || pair.flags.length > 0));
      }),
    );
  });

  it('is what it was before, once everything is undone', () => {
    fc.assert(
      fc.property(input, ({ pair, standing }) => {
        const undone = standing
          .toReversed()
          .map((review, i): PairReview => ({ ...review, id: `u${i}`, seq: 100 + i, kind: 'undo', undoes: review.id }));
        const state = pairState({ ...pair, reviews: [...pair.reviews, ...undone] });
        expect(state).toEqual(pairState({ ...pair, reviews: [] }));
      }),
    );
  });

  const base: PairInput = {
    verdict: { judging: 1, label: 'maybe', grade: 'low', wants: true, degraded: false, near: false },
    otherPacks: [],
    drawn: false,
    damaged: false,
    reviews: [],
    flags: [],
  };
  const context = { id: '1', seq: 1, judging: 1, verdictLabel: 'maybe', verdictGrade: 'low', audit: false } as const;

  it('comes back to the queue when a skipped verdict changes', () => {
    const reviews: readonly PairReview[] = [{ ...context, kind: 'skip' }];
    expect(pairState({ ...base, reviews }).wants).toBe(false);
    expect(pairState({ ...base, reviews, verdict: { ...base.verdict, judging: 2 } }).wants).toBe(false);
    expect(pairState({ ...base, reviews, verdict: { ...base.verdict, judging: 2, label: 'no' } }).wants).toBe(true);
  });

  it('loses its flag to a later decision only', () => {
    const reviews: readonly PairReview[] = [{ ...context, seq: 5, kind: 'confirm', label: 'maybe' }];
    const flagged = (afterReview: number) =>
      hasMark(pairState({ ...base, reviews, flags: [{ set: true, afterReview }] }).marks, 'flagged');
    expect(flagged(4)).toBe(false);
    expect(flagged(5)).toBe(true);
  });

  it('is contradicted by a pack that is sure of the opposite, until decided', () => {
    const verdict = { ...base.verdict, label: 'yes' } as const;
    const differs = (changes: Partial<PairInput>) =>
      hasMark(pairState({ ...base, verdict, ...changes }).marks, 'packsDiffer');
    expect(differs({ otherPacks: ['no'] })).toBe(true);
    expect(differs({ otherPacks: ['yes', 'maybe'] })).toBe(false);
    expect(differs({ otherPacks: ['no'], reviews: [{ ...context, kind: 'confirm', label: 'yes' }] })).toBe(false);
  });

  it('waits for its audit until a blind review of it stands', () => {
    const waits = (reviews: readonly PairReview[]) =>
      hasMark(pairState({ ...base, drawn: true, reviews }).marks, 'audit');
    const blind = { ...context, kind: 'override', label: 'no', audit: true } as const;
    expect(waits([])).toBe(true);
    expect(waits([{ ...blind, audit: false }])).toBe(true);
    expect(waits([blind])).toBe(false);
    expect(waits([blind, { ...context, id: '2', seq: 2, kind: 'undo', undoes: '1' }])).toBe(true);
  });

  it('disagrees only with a verdict that came after the decision', () => {
    const reviews: readonly PairReview[] = [{ ...context, kind: 'override', label: 'yes' }];
    expect(hasMark(pairState({ ...base, reviews }).marks, 'disagrees')).toBe(false);
    const later = { ...base.verdict, judging: 2, label: 'no' } as const;
    expect(hasMark(pairState({ ...base, reviews, verdict: later }).marks, 'disagrees')).toBe(true);
  });
});
