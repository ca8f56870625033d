/** What the store keeps on each pair so that queues, filters and counts need no other table. Pure. */
import type { Grade, Label } from '../../contract/labels.ts';
import { type ReviewEntry, standingReview } from '../../policy/effective-label.ts';

/** Bits of `pairs.marks`. */
export const marks = {
  damaged: 1,
  degraded: 2,
  flagged: 4,
  reviewed: 8,
  skipped: 16,
  disagrees: 32,
  packsDiffer: 64,
  near: 128,
  audit: 256,
} as const;

/** A review as far as it matters here; `seq` grows with each one, `label` and `grade` are of the verdict it was made on. */
export type PairReview = ReviewEntry &
  Readonly<{
    seq: number;
    judging: number | null;
    verdictLabel: Label | null;
    verdictGrade: Grade | null;
    /** Made blind on a pair that an audit had drawn. */
    audit: boolean;
  }>;
/** The last word on a photo, or on one of its statements; settled by a decision made after `afterReview`. */
export type PairFlag = Readonly<{ set: boolean; afterReview: number }>;

export type PairInput = Readonly<{
  verdict: Readonly<{
    /** The one that measured; deciding again under another policy is no new measurement. */
    judging: number;
    label: Label;
    grade: Grade;
    wants: boolean;
    degraded: boolean;
    near: boolean;
  }>;
  /** What the other packs' current verdicts on the pair say. */
  otherPacks: readonly Label[];
  /** Drawn for an audit. */
  drawn: boolean;
  damaged: boolean;
  /** In the order they were made. */
  reviews: readonly PairReview[];
  flags: readonly PairFlag[];
}>;

export type PairState = Readonly<{ label: Label; wants: boolean; marks: number }>;

/** Newest first, without undos and what they took back. */
const standing = (reviews: readonly PairReview[]): readonly PairReview[] => {
  const undone = new Set<string>();
  return reviews.toReversed().filter((review) => {
    if (undone.has(review.id)) return false;
    if (review.kind === 'undo') undone.add(review.undoes);
    return review.kind !== 'undo';
  });
};

/** One is sure of yes where the other is sure of no. */
const contradict = (a: Label, b: Label): boolean => a !== 'maybe' && b !== 'maybe' && a !== b;

export const pairState = ({ verdict, otherPacks, drawn, damaged, reviews, flags }: PairInput): PairState => {
  const decision = standingReview(reviews) as PairReview | undefined;
  const label = decision && 'label' in decision ? decision.label : verdict.label;
  const stand = standing(reviews);
  const [last] = stand;
  // A skip holds until the verdict is another one.
  const skipped = last?.kind === 'skip' && last.verdictLabel === verdict.label && last.verdictGrade === verdict.grade;
  const flagged = flags.some((flag) => flag.set && (decision?.seq ?? 0) <= flag.afterReview);
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
      (disagrees ? marks.disagrees : 0) |
      (!decision && otherPacks.some((other) => contradict(other, verdict.label)) ? marks.packsDiffer : 0) |
      (verdict.near && !decision && !skipped ? marks.near : 0) |
      (drawn && !skipped && !stand.some(({ audit }) => audit) ? marks.audit : 0),
  };
};

export const hasMark = (value: number, name: keyof typeof marks): boolean => (value & marks[name]) !== 0;
