import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { earnsTag, type ReviewEntry, standingReview } from '../../../main/policy/effective-label.ts';

const confirmed: ReviewEntry = { id: '1', kind: 'confirm', label: 'yes' };
const overridden: ReviewEntry = { id: '2', kind: 'override', label: 'no' };
const undo = (id: string, undoes: string): ReviewEntry => ({ id, kind: 'undo', undoes });

describe('the standing review', () => {
  it('is none while nobody decided', () => {
    expect(standingReview([])).toBeUndefined();
    expect(standingReview([{ id: '1', kind: 'skip' }])).toBeUndefined();
  });

  it('is the latest confirm or override', () => {
    expect(standingReview([confirmed, overridden, { id: '3', kind: 'skip' }])).toEqual(overridden);
    expect(standingReview([confirmed])).toEqual(confirmed);
  });

  it('goes back with each undo, and forward when the undo is undone', () => {
    const history = [confirmed, overridden, undo('3', '2')];
    expect(standingReview(history)).toEqual(confirmed);
    expect(standingReview([...history, undo('4', '1')])).toBeUndefined();
    expect(standingReview([...history, undo('4', '3')])).toEqual(overridden);
  });

  it('is none when everything is undone, last first', () => {
    const labels = fc.array(fc.constantFrom('yes' as const, 'no' as const, 'maybe' as const), { maxLength: 6 });
    fc.assert(
      fc.property(labels, (given) => {
        const made = given.map((label, i): ReviewEntry => ({ id: `r${i}`, kind: 'override', label }));
        const undone = made.toReversed().map((review, i) => undo(`u${i}`, review.id));
        expect(standingReview(made)).toEqual(made.at(-1));
        expect(standingReview([...made, ...undone])).toBeUndefined();
      }),
    );
  });
});

it('a tag is earned by YES at grade high, at medium only if the user says so', () => {
  expect(earnsTag({ label: 'yes', grade: 'high' }, 'high')).toBe(true);
  expect(earnsTag({ label: 'yes', grade: 'high' }, 'medium')).toBe(true);
  expect(earnsTag({ label: 'yes', grade: 'medium' }, 'high')).toBe(false);
  expect(earnsTag({ label: 'yes', grade: 'medium' }, 'medium')).toBe(true);
  expect(earnsTag({ label: 'yes', grade: 'low' }, 'medium')).toBe(false);
  expect(earnsTag({ label: 'no', grade: 'high' }, 'high')).toBe(false);
  expect(earnsTag({ label: 'maybe', grade: 'high' }, 'high')).toBe(false);
});
