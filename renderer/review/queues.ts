import type { QueueCount, QueueName, QueuesView } from '../../main/contract/review.ts';
import { queueNames } from '../../main/contract/review.ts';

/** Worth a line even when there is nothing in them. */
const always: ReadonlySet<QueueName> = new Set(['review', 'flagged', 'audit']);

/** The queues to offer: those that hold something, those that always stand, and the one at hand. */
export const shownQueues = (view: QueuesView | undefined, current: QueueName | null): readonly QueueCount[] =>
  queueNames
    .map((name) => view?.queues.find((queue) => queue.name === name) ?? { name, count: 0, atLeast: false })
    .filter(({ name, count }) => count > 0 || always.has(name) || name === current);
