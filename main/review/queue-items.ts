/** The first items of a queue, however many pages of the store they take. */
import type { QueueItem, QueueName, QueueOrder, QueuePage, QueueScope } from '../contract/review.ts';
import type { Store } from '../store/types.ts';

export type QueueWanted = Readonly<{ queue: QueueName; order: QueueOrder; scope: QueueScope; limit: number }>;

export const queueItems = async (store: Store, { limit, ...wanted }: QueueWanted): Promise<QueuePage> => {
  const first = await store.queues.page({ ...wanted, cursor: null, limit });
  const items: QueueItem[] = [...first.items];
  for (let next = first.next; next !== null && items.length < limit; ) {
    const page = await store.queues.page({ ...wanted, cursor: next, limit: limit - items.length });
    items.push(...page.items);
    next = page.next;
  }
  return { ...first, items };
};
