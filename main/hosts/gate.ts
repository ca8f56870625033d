/**
 * Lets a bounded number of tasks through at once: by priority, and within one in the order they came. The bound may
 * change while they run.
 */
import { type Priority, priorities } from '../contract/priority.ts';

export type Gate = Readonly<{
  /** Resolves to the function that gives the place back; rejects with the signal's reason. Bulk work unless told otherwise. */
  enter: (options?: Readonly<{ priority?: Priority; signal?: AbortSignal }>) => Promise<() => void>;
  inside: () => number;
  waiting: () => number;
  /** Call when the bound may have grown. */
  widen: () => void;
  /** Turns away whoever waits or comes later, with this error. */
  close: (error: Error) => void;
}>;

type Waiting = Readonly<{ admit: () => void; refuse: (error: unknown) => void }>;

export const createGate = (bound: () => number): Gate => {
  let inside = 0;
  let closed: Error | undefined;
  const lines: Readonly<Record<Priority, Set<Waiting>>> = { interactive: new Set(), bulk: new Set(), retry: new Set() };

  const admit = () => {
    for (const priority of priorities) {
      for (const next of lines[priority]) {
        if (inside >= bound()) return;
        inside += 1;
        next.admit();
      }
    }
  };
  const placeTaken = () => {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      inside -= 1;
      admit();
    };
  };
  return {
    enter: ({ priority = 'bulk', signal } = {}) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (closed) throw closed;
        const giveUp = () => waiting.refuse(signal?.reason);
        const settle = () => {
          lines[priority].delete(waiting);
          signal?.removeEventListener('abort', giveUp);
        };
        const waiting: Waiting = {
          admit: () => {
            settle();
            resolve(placeTaken());
          },
          refuse: (error) => {
            settle();
            reject(error);
          },
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        lines[priority].add(waiting);
        admit();
      }),
    inside: () => inside,
    waiting: () => priorities.reduce((sum, priority) => sum + lines[priority].size, 0),
    widen: admit,
    close(error) {
      closed = error;
      for (const priority of priorities) for (const { refuse } of lines[priority]) refuse(error);
    },
  };
};
