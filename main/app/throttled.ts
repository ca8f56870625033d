/** Many calls become one, so long after the first of them. */
export type Throttled = Readonly<{ call: () => void; close: () => void }>;

export const throttled = (everyMs: number, act: () => void): Throttled => {
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  return {
    call: () => {
      if (closed) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, everyMs);
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
};
