/** Lets one at a time work on what has the same key; the others wait for their turn. */

/** Resolves when it is this caller's turn, with what ends it. */
export type KeyLock = (key: string) => Promise<() => void>;

export const openKeyLock = (): KeyLock => {
  const busy = new Map<string, Promise<void>>();
  return async (key) => {
    for (let other = busy.get(key); other; other = busy.get(key)) await other;
    let settle: () => void = () => undefined;
    busy.set(key, new Promise<void>((resolve) => (settle = resolve)));
    return () => {
      busy.delete(key);
      settle();
    };
  };
};
