/** Undo, the same wherever it is asked for: the last thing that a reviewer did, be it a decision or flags. */
import type { FlagRecord, Store, StoredReview } from '../store/types.ts';

/** What was taken back: one of the two is empty, or both where there was nothing. */
export type Undone = Readonly<{ decisions: readonly StoredReview[]; flags: readonly FlagRecord[] }>;

export const undoLast = async (store: Store, reviewer: string, at: number): Promise<Undone> => {
  const flags = await store.flags.undo(reviewer, at);
  const decisions = flags.length > 0 ? [] : await store.reviews.undo({ reviewer, mine: true, at });
  return { decisions, flags };
};
