/** Reviews and flags: what people (and statements' own rules) say about pairs of photo and statement. Append-only. */
import type { Label } from '../contract/labels.ts';
import type { TrailEntry } from '../contract/review.ts';

/** A decision on one pair, named by the id of the verdict it was made on. */
type ReviewTarget = Readonly<{ verdict: string }>;

export type NewReview = Readonly<{
  kind: 'confirm' | 'override' | 'skip';
  /** Needed for an override; a confirm takes the verdict's label, a skip has none. */
  label?: Label;
  note?: string;
  reviewer: string;
  /** Model's answer hidden while deciding; on a pair that an audit has drawn this makes an audit review. */
  blind?: boolean;
  /** From showing the pair to deciding. */
  tookMs?: number;
  at: number;
}>;

/** An entry of the audit trail, as the store names it. */
export type StoredReview = Omit<TrailEntry, 'groupId' | 'photoId'> & Readonly<{ group: string; photo: string }>;

export type ReviewOperations = {
  /** One decision on one or many pairs, undone as one. Rejects with not_found for an unknown verdict. */
  add(targets: readonly ReviewTarget[], review: NewReview): readonly StoredReview[];
  /** Takes back the latest group that is not taken back yet (of this reviewer when given); empty when there is none. */
  undo(options: Readonly<{ reviewer: string; mine?: boolean; at: number }>): readonly StoredReview[];
  /** Takes back every skip, so that the queues are full again. Returns how many. */
  resetSkips(reviewer: string, at: number): number;
  /** The audit trail, newest first; of one photo when given. `before`: the id of the last one on the page before. */
  list(options: Readonly<{ photo?: string; limit: number; before?: string }>): readonly StoredReview[];
  /** The same, oldest first; `after`: the id of the last one on the page before. */
  since(options: Readonly<{ limit: number; after?: string }>): readonly StoredReview[];
};

/** `statementId` null: the whole photo. */
export type FlagTarget = Readonly<{ photo: string; statementId: string | null }>;
/**
 * One that a statement's own rule made has `by` "statement", and the label that the rule names as `reason`.
 * `statement`: its text, null for the whole photo.
 */
export type FlagRecord = FlagTarget &
  Readonly<{
    id: string;
    path: string;
    statement: string | null;
    set: boolean;
    reason: string;
    by: string;
    at: number;
  }>;

export type FlagOperations = {
  /** Sends pairs to spot-check; a later confirm or override settles them. */
  set(targets: readonly FlagTarget[], reason: string, by: string, at: number): void;
  clear(targets: readonly FlagTarget[], reason: string, by: string, at: number): void;
  /**
   * Takes back this reviewer's latest flags, set or cleared, which were made as one, unless a decision of theirs that
   * still stands came after. Says what now holds; empty when there is nothing to take back.
   */
  undo(reviewer: string, at: number): readonly FlagRecord[];
  /** All flag events of a photo, newest first. */
  list(photo: string): readonly FlagRecord[];
};
