/** Long pieces of work that can be called off, and that go on as what they sent is stored. */
export type Running = { stored: number; cancelled: boolean; wake: () => void };

export type LongWork = Readonly<{
  /** Runs a piece of work under the id of its request. */
  run: <T>(id: number, work: (running: Running) => Promise<T>) => Promise<T>;
  /** So many rows of it have been stored. */
  stored: (id: number, rows: number) => void;
  cancel: (id: number) => void;
}>;

export const trackWork = (): LongWork => {
  const all = new Map<number, Running>();
  return {
    async run(id, work) {
      const running: Running = { stored: 0, cancelled: false, wake: () => undefined };
      all.set(id, running);
      try {
        return await work(running);
      } finally {
        all.delete(id);
      }
    },
    stored(id, rows) {
      const running = all.get(id);
      if (running) running.stored += rows;
      running?.wake();
    },
    cancel(id) {
      const running = all.get(id);
      if (running) running.cancelled = true;
      running?.wake();
    },
  };
};

/** Lets messages come in between. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
