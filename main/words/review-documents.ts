/** The JSON documents about the review: what a queue holds, and what a decision or taking it back came to. */
import type { ReviewDocument, VerdictsDocument } from '../contract/cli.ts';
import type { QueueItem, QueuePage } from '../contract/review.ts';
import type { FlagRecord, Store, StoredReview } from '../store/types.ts';
import { verdictItem } from './documents.ts';

const queueItem = ({ verdictId, photoId, ...item }: QueueItem) =>
  verdictItem({ ...item, id: verdictId, photo: photoId, set: item.setName });

export const queueDocument = ({ total, items }: Pick<QueuePage, 'total' | 'items'>): VerdictsDocument => ({
  total,
  items: items.map(queueItem),
});

/** Decisions that were made, or taken back, at once. */
export const decisionsDocument = (records: readonly StoredReview[]): ReviewDocument => {
  const { id, kind, photo, statement, label, note, after, at } = records[0]!;
  return {
    ...{ id, kind, photo, statement, label, note },
    ...{ effectiveLabel: after, flagged: null, pairs: records.length, at: new Date(at).toISOString() },
  };
};

/** Flags as they are now that the last were taken back. */
const flagsDocument = async (store: Store, flags: readonly FlagRecord[]): Promise<ReviewDocument> => {
  const { id, photo, statement, statementId, set, at } = flags[0]!;
  const of = statementId === null ? null : await store.verdicts.list({ photo, statement: statementId }, { limit: 1 });
  return {
    ...{ id, kind: 'undo', photo, statement, label: null, note: null },
    effectiveLabel: of?.items[0]?.effectiveLabel ?? null,
    ...{ flagged: set, pairs: flags.length, at: new Date(at).toISOString() },
  };
};

type Undone = Readonly<{ decisions: readonly StoredReview[]; flags: readonly FlagRecord[] }>;

/** null where there was nothing to take back. */
export const undoneDocument = async (store: Store, { decisions, flags }: Undone): Promise<ReviewDocument | null> => {
  if (flags.length > 0) return flagsDocument(store, flags);
  return decisions.length > 0 ? decisionsDocument(decisions) : null;
};
