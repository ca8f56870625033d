/** What counts for a pair in the end: a person's decision, else the active pack's current verdict. Pure. */
import type { Grade, Label } from '../contract/labels.ts';

/** One appended decision. A confirm carries the label of the verdict it confirmed; an undo names what it undoes. */
export type ReviewEntry =
  | Readonly<{ id: string; kind: 'confirm' | 'override'; label: Label }>
  | Readonly<{ id: string; kind: 'skip' }>
  | Readonly<{ id: string; kind: 'undo'; undoes: string }>;

export type CurrentVerdict = Readonly<{ label: Label; grade: Grade; wantsReview: boolean }>;

export type EffectiveLabel = Readonly<{
  label: Label;
  /** A person's decision is as sure as it gets. */
  grade: Grade;
  by: 'review' | 'verdict';
  wantsReview: boolean;
}>;

/** `reviews` in the order they were appended. An undo that is itself undone has no effect. */
export const standingReview = (reviews: readonly ReviewEntry[]): ReviewEntry | undefined => {
  const undone = new Set<string>();
  for (const review of reviews.toReversed()) {
    if (undone.has(review.id)) continue;
    if (review.kind === 'undo') undone.add(review.undoes);
    else if (review.kind !== 'skip') return review;
  }
  return undefined;
};

/** null: the pair was neither judged nor reviewed. */
export const effectiveLabel = (
  reviews: readonly ReviewEntry[],
  current: CurrentVerdict | null,
): EffectiveLabel | null => {
  const review = standingReview(reviews);
  if (review && 'label' in review) return { label: review.label, grade: 'high', by: 'review', wantsReview: false };
  return current && { ...current, by: 'verdict' };
};

export type TagAction = 'apply' | 'withdraw' | 'keep';

/** `tagged`: who put the statement's tag on the photo, if it is there. Only tags that Vouch set are withdrawn. */
export const tagAction = (
  effective: EffectiveLabel | null,
  lowestGrade: 'high' | 'medium',
  tagged: 'vouch' | 'other' | null,
): TagAction => {
  const earned =
    effective?.label === 'yes' &&
    (effective.grade === 'high' || (lowestGrade === 'medium' && effective.grade === 'medium'));
  if (earned && tagged === null) return 'apply';
  return !earned && tagged === 'vouch' ? 'withdraw' : 'keep';
};
