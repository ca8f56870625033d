/** One reader of a store that many requests share: a thread for all of them, not one for each. */
import { stat } from 'node:fs/promises';
import { failedWith } from '../../failure.ts';
import type { Store } from '../types.ts';

export type SharedReader = Readonly<{
  read: <T>(use: (store: Store) => Promise<T>) => Promise<T>;
  /** Resolves once what is under way has ended. */
  close: () => Promise<void>;
}>;

type Opened = Readonly<{ store: Promise<Store>; inode: bigint | null; underWay: Set<Promise<unknown>> }>;

/** null: there is none. */
const inodeOf = async (file: string): Promise<bigint | null> =>
  (await stat(file, { bigint: true }).catch(() => null))?.ino ?? null;

const hasEnded = (error: unknown): boolean => failedWith(error, 'store_closed');

/**
 * `file`: the database. The store is opened for the first request, and anew where a restored backup has taken the
 * place of the file that was opened, since the open one would go on being read.
 */
export const openSharedReader = (file: string, open: () => Promise<Store>): SharedReader => {
  let current: Opened | null = null;
  let closed: Promise<unknown> = Promise.resolve();

  const letGo = (opened: Opened): void => {
    if (current !== opened) return;
    current = null;
    const ended = Promise.allSettled(opened.underWay)
      .then(() => opened.store)
      .then((store) => store.close())
      .catch(() => undefined);
    closed = Promise.all([closed, ended]);
  };

  const opened = async (): Promise<Opened> => {
    // Looked at before the file is opened: a file that is replaced in between is noticed the next time.
    const inode = await inodeOf(file);
    if (current && current.inode !== inode) letGo(current);
    if (current) return current;
    const next = { store: open(), inode, underWay: new Set<Promise<unknown>>() };
    current = next;
    next.store.catch(() => letGo(next));
    return next;
  };

  return {
    read: async (use) => {
      const reader = await opened();
      const work = reader.store.then(use);
      reader.underWay.add(work);
      try {
        return await work;
      } catch (error) {
        if (hasEnded(error)) letGo(reader);
        throw error;
      } finally {
        reader.underWay.delete(work);
      }
    },
    close: async () => {
      if (current) letGo(current);
      await closed;
    },
  };
};
