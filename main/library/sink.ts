/** Collects what is finished and hands it on by the handful, one handful at a time and in order. */

export type Sink<T> = Readonly<{
  /** Resolves once the item's handful has been handed on; rejects when that failed. */
  put: (item: T) => Promise<void>;
  /** Resolves while fewer than `backlog` handfuls wait to be handed on. */
  room: () => Promise<void>;
  /** Hands on what is left; rejects with the first failure. */
  close: () => Promise<void>;
}>;

export type SinkLimits = Readonly<{ size: number; delayMs: number; backlog: number }>;

export const openSink = <T>(limits: SinkLimits, handOn: (items: readonly T[]) => Promise<void>): Sink<T> => {
  let waiting: { item: T; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let handfuls: Promise<void>[] = [];
  let chain: Promise<void> = Promise.resolve();

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    const handful = chain.then(() => handOn(batch.map(({ item }) => item)));
    chain = handful;
    handfuls.push(handful);
    handful.then(
      () => {
        for (const { resolve } of batch) resolve();
        handfuls = handfuls.filter((other) => other !== handful);
      },
      (error) => {
        for (const { reject } of batch) reject(error);
      },
    );
  };

  return {
    put: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (waiting.length >= limits.size) flush();
        else timer ??= setTimeout(flush, limits.delayMs);
      }),
    room: async () => {
      if (handfuls.length >= limits.backlog) await handfuls[0];
    },
    close: async () => {
      flush();
      await chain;
    },
  };
};
