/** Queues as the store serves them, and the audit's draw. */
import type { QueueItem, QueueName, QueueOrder, QueuePage, QueueScope, QueuesView } from '../contract/review.ts';

export type QueueRequest = Readonly<{
  queue: QueueName;
  scope: QueueScope;
  order: QueueOrder;
  cursor: string | null;
  limit: number;
}>;

export type QueueOperations = {
  /** Read from the tallies, but for a scope with a folder: that is counted, up to ten thousand. */
  counts(scope: QueueScope): QueuesView;
  /** By keyset. Rejects a cursor that is not of this queue and order. */
  page(request: QueueRequest): QueuePage;
  /** The queue item of a verdict; null for an unknown one. */
  item(verdict: string): QueueItem | null;
  /**
   * Draws pairs into the audit, each shown pair that was not drawn yet with the same chance. Gives how many were drawn
   * and how many wait for a review.
   */
  draw(count: number, at: number): Readonly<{ drawn: number; waiting: number }>;
};
