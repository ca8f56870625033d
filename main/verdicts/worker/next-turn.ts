/** Lets messages come in between two pieces of long work. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
