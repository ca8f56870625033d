/** What the store keeps on each pair so that queues, filters and counts need no other table. Pure. */
import type { Grade, Label } from '../contract/labels.ts';
import { type ReviewEntry, standingReview } from '../verdicts/effective-label.ts';

/** Bits of `pairs.marks`. */
export const marks = { damaged: 1, degraded: 2, flagged: 4, reviewed: 8, skipped: 16, disagrees: 32 } as const;

/** A review as far as it matters here; `seq` grows with each one, `label` and `grade` are of the verdict it was made on. */
export type PairReview = ReviewEntry &
  Readonly<{ seq: number; judging: number | null; verdictLabel: Label | null; verdictGrade: Grade | null }>;
/** The last word on a photo, or on one of its statements; settled by a decision made after `afterReview`. */
export type PairFlag = Readonly<{ set: boolean; afterReview: number }>;

export type PairInput = Readonly<{
  verdict: Readonly<{ judging: number; label: Label; grade: Grade; wants: boolean; degraded: boolean }>;
  damaged: boolean;
  /** Verdicts with this label are flagged by the statement itself. */
  flagOn: 'yes' | 'no' | null;
  /** In the order they were made. */
  reviews: readonly PairReview[];
  flags: readonly PairFlag[];
}>;

export type PairState = Readonly<{ label: Label; wants: boolean; marks: number }>;

const lastStanding = (reviews: readonly PairReview[]): PairReview | undefined => {
  const undone = new Set<string>();
  for (const review of reviews.toReversed()) {
    if (undone.has(review.id)) continue;
    if (review.kind === 'undo') undone.add(review.undoes);
    else return review;
  }
  return undefined;
};

export const pairState = ({ verdict, damaged, flagOn, reviews, flags }: PairInput): PairState => {
  const decision = standingReview(reviews) as PairReview | undefined;
  const label = decision && 'label' in decision ? decision.label : verdict.label;
  const last = lastStanding(reviews);
  // A skip holds until the verdict is another one.
  const skipped = last?.kind === 'skip' && last.verdictLabel === verdict.label && last.verdictGrade === verdict.grade;
  const flaggedBySomeone = flags.some((flag) => flag.set && (decision?.seq ?? 0) <= flag.afterReview);
  const flagged = flaggedBySomeone || (!decision && flagOn === verdict.label);
  const disagrees = decision !== undefined && decision.judging !== verdict.judging && label !== verdict.label;
  return {
    label,
    wants: !decision && !skipped && (verdict.wants || flagged),
    marks:
      (damaged ? marks.damaged : 0) |
      (verdict.degraded ? marks.degraded : 0) |
      (flagged ? marks.flagged : 0) |
      (decision ? marks.reviewed : 0) |
      (skipped ? marks.skipped : 0) |
      (disagrees ? marks.disagrees : 0),
  };
};

export const hasMark = (value: number, name: keyof typeof marks): boolean => (value & marks[name]) !== 0;
