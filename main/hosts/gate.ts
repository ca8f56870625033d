/**
 * Lets a bounded number of tasks through at once: the urgent first, else in the order they came. The bound may change
 * while they run.
 */
export type Gate = Readonly<{
  /** Resolves to the function that gives the place back; rejects with the signal's reason. */
  enter: (options?: Readonly<{ urgent?: boolean; signal?: AbortSignal }>) => Promise<() => void>;
  inside: () => number;
  waiting: () => number;
  /** Call when the bound may have grown. */
  widen: () => void;
  /** Turns away whoever waits or comes later, with this error. */
  close: (error: Error) => void;
}>;

export const createGate = (bound: () => number): Gate => {
  let inside = 0;
  type Waiting = Readonly<{ admit: () => void; refuse: (error: unknown) => void }>;
  const urgentLine = new Set<Waiting>();
  const plainLine = new Set<Waiting>();
  let closed: Error | undefined;
  const admit = () => {
    for (const line of [urgentLine, plainLine]) {
      for (const next of line) {
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
    enter: ({ urgent = false, signal } = {}) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (closed) throw closed;
        const line = urgent ? urgentLine : plainLine;
        const giveUp = () => waiting.refuse(signal?.reason);
        const settle = () => {
          line.delete(waiting);
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
        line.add(waiting);
        admit();
      }),
    inside: () => inside,
    waiting: () => urgentLine.size + plainLine.size,
    widen: admit,
    close(error) {
      closed = error;
      for (const line of [urgentLine, plainLine]) for (const { refuse } of line) refuse(error);
    },
  };
};
