/**
 * What waits to be inferred. A pure data structure: it knows no clock and starts no timer; the time comes in, in
 * UTC milliseconds. Within a priority the order of arrival is kept, and so is the order of every client.
 */
import { type Priority, priorities } from '../../contract/priority.ts';

export type QueueItem = Readonly<{
  priority: Priority;
  /** UTC milliseconds, or null for none. From this moment on the item is no longer wanted. */
  deadlineAt: number | null;
  /** Only items of the same group share a batch. */
  group: string;
}>;

export type BatchQueue<T extends QueueItem> = Readonly<{
  size: () => number;
  /** Takes an item in, or refuses it because the queue is full. */
  add: (item: T, now: number) => 'queued' | 'queue_full';
  /** Takes out what has passed its deadline. */
  expire: (now: number) => readonly T[];
  /** Takes out what is no longer wanted. */
  remove: (unwanted: (item: T) => boolean) => readonly T[];
  /** The items of the next batch, left in place. */
  peek: (batch: number) => readonly T[];
  /** Takes out the items of the next batch: at most `batch`, never one past its deadline if `expire` ran before. */
  take: (batch: number) => readonly T[];
  /** When the next batch may start: at once (-Infinity) if it can grow no more, else when its oldest item has waited enough. */
  dueAt: (batch: number, maxDelayMs: number) => number | null;
  /** The earliest deadline of anything that waits. */
  nextDeadline: () => number | null;
}>;

export const createBatchQueue = <T extends QueueItem>(capacity: number): BatchQueue<T> => {
  type Entry = Readonly<{ item: T; at: number }>;
  const lanes: Record<Priority, Entry[]> = { interactive: [], bulk: [], retry: [] };

  const size = () => priorities.reduce((sum, p) => sum + lanes[p].length, 0);

  const remove = (unwanted: (item: T) => boolean): readonly T[] => {
    const out: T[] = [];
    for (const p of priorities) {
      if (!lanes[p].some((entry) => unwanted(entry.item))) continue;
      const kept: Entry[] = [];
      for (const entry of lanes[p]) {
        if (unwanted(entry.item)) out.push(entry.item);
        else kept.push(entry);
      }
      lanes[p] = kept;
    }
    return out;
  };

  /** The first items that may share a batch: an item of another group ends it, so that nothing overtakes it. */
  const peek = (batch: number): readonly T[] => {
    const out: T[] = [];
    for (const p of priorities) {
      for (const { item } of lanes[p]) {
        if (out.length >= batch || (out[0] && out[0].group !== item.group)) return out;
        out.push(item);
      }
    }
    return out;
  };

  return {
    size,
    remove,
    peek,
    add(item, now) {
      if (size() >= capacity) return 'queue_full';
      lanes[item.priority].push({ item, at: now });
      return 'queued';
    },
    expire: (now) => remove((item) => item.deadlineAt !== null && item.deadlineAt <= now),
    take(batch) {
      const out = peek(batch);
      let left = out.length;
      for (const p of priorities) left -= lanes[p].splice(0, left).length;
      return out;
    },
    dueAt(batch, maxDelayMs) {
      const waiting = size();
      if (waiting === 0) return null;
      // A batch that is followed by another group grows no more.
      if (waiting >= batch || peek(batch).length < waiting) return Number.NEGATIVE_INFINITY;
      return Math.min(...priorities.flatMap((p) => (lanes[p][0] ? [lanes[p][0].at] : []))) + maxDelayMs;
    },
    nextDeadline() {
      let first: number | null = null;
      for (const p of priorities) {
        for (const { item } of lanes[p]) {
          if (item.deadlineAt !== null && (first === null || item.deadlineAt < first)) first = item.deadlineAt;
        }
      }
      return first;
    },
  };
};
