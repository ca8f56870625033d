import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveLabel, type ReviewEntry, standingReview, tagAction } from '../../../main/policy/effective-label.ts';

const current = { label: 'maybe', grade: 'low', wantsReview: true } as const;
const confirmed: ReviewEntry = { id: '1', kind: 'confirm', label: 'yes' };
const overridden: ReviewEntry = { id: '2', kind: 'override', label: 'no' };
const undo = (id: string, undoes: string): ReviewEntry => ({ id, kind: 'undo', undoes });

describe('the effective label', () => {
  it('is that of the current verdict while nobody decided', () => {
    expect(effectiveLabel([], current)).toEqual({ ...current, by: 'verdict' });
    expect(effectiveLabel([{ id: '1', kind: 'skip' }], current)).toEqual({ ...current, by: 'verdict' });
    expect(effectiveLabel([], null)).toBeNull();
  });

  it('is that of the latest confirm or override, which no longer wants review', () => {
    expect(effectiveLabel([confirmed, overridden, { id: '3', kind: 'skip' }], current)).toEqual({
      label: 'no',
      grade: 'high',
      by: 'review',
      wantsReview: false,
    });
    expect(effectiveLabel([confirmed], null)?.label).toBe('yes');
  });

  it('goes back with each undo, and forward when the undo is undone', () => {
    const history = [confirmed, overridden, undo('3', '2')];
    expect(standingReview(history)).toEqual(confirmed);
    expect(standingReview([...history, undo('4', '1')])).toBeUndefined();
    expect(standingReview([...history, undo('4', '3')])).toEqual(overridden);
  });

  it('undoing everything, last first, leaves the verdict', () => {
    const labels = fc.array(fc.constantFrom('yes' as const, 'no' as const, 'maybe' as const), { maxLength: 6 });
    fc.assert(
      fc.property(labels, (given) => {
        const made = given.map((label, i): ReviewEntry => ({ id: `r${i}`, kind: 'override', label }));
        const undone = made.toReversed().map((review, i) => undo(`u${i}`, review.id));
        expect(standingReview(made)).toEqual(made.at(-1));
        expect(effectiveLabel([...made, ...undone], current)?.by).toBe('verdict');
      }),
    );
  });
});

describe('the tag', () => {
  const yes = (grade: 'high' | 'medium') => ({ label: 'yes', grade, by: 'verdict', wantsReview: false }) as const;

  it('is applied on YES at grade high, at medium only if the user says so', () => {
    expect(tagAction(yes('high'), 'high', null)).toBe('apply');
    expect(tagAction(yes('medium'), 'high', null)).toBe('keep');
    expect(tagAction(yes('medium'), 'medium', null)).toBe('apply');
    expect(tagAction(effectiveLabel([confirmed], current), 'high', null)).toBe('apply');
  });

  it('is withdrawn when no longer earned, and only where Vouch set it', () => {
    const no = { ...yes('high'), label: 'no' } as const;
    expect(tagAction(no, 'high', 'vouch')).toBe('withdraw');
    expect(tagAction(yes('medium'), 'high', 'vouch')).toBe('withdraw');
    expect(tagAction(null, 'high', 'vouch')).toBe('withdraw');
    expect(tagAction(no, 'high', 'other')).toBe('keep');
    expect(tagAction(no, 'high', null)).toBe('keep');
  });

  it('is left alone where it stands and is earned', () => {
    expect(tagAction(yes('high'), 'high', 'vouch')).toBe('keep');
    expect(tagAction(yes('high'), 'high', 'other')).toBe('keep');
  });
});
