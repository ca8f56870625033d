/** What counts for a pair in the end: a person's decision, else the verdict; and what of it is tagged. Pure. */
import type { Grade, Label } from '../contract/labels.ts';

/** One appended decision. A confirm carries the label of the verdict it confirmed; an undo names what it undoes. */
export type ReviewEntry =
  | Readonly<{ id: string; kind: 'confirm' | 'override'; label: Label }>
  | Readonly<{ id: string; kind: 'skip' }>
  | Readonly<{ id: string; kind: 'undo'; undoes: string }>;

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

/** Whether a pair that ends as this label and grade puts its statement's tag on the photo. */
export const earnsTag = (
  { label, grade }: Readonly<{ label: Label; grade: Grade }>,
  lowestGrade: 'high' | 'medium',
): boolean => label === 'yes' && (grade === 'high' || grade === lowestGrade);
