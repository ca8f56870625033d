/** Does something once nobody has wanted anything for a long time, and gives it up at once when somebody does. */
export type Idle = Readonly<{
  /** Somebody wants something. */
  asked: () => void;
  /** Resolves once nothing is being done any more. */
  close: () => Promise<void>;
}>;

type IdlePorts = Readonly<{
  /** How long nothing must have been wanted, ms. */
  afterMs: number;
  checkEveryMs: number;
  /** Whether there is anything to do. */
  wanted: () => boolean;
  /** Whether somebody wants something now. */
  busy: () => boolean;
  /** Ends soon after the signal, in whatever way. Where it fails by itself it is not tried again. */
  act: (signal: AbortSignal) => Promise<void>;
  onFailed: (error: unknown) => void;
}>;

export const whenIdle = ({ afterMs, checkEveryMs, wanted, busy, act, onFailed }: IdlePorts): Idle => {
  let since = performance.now();
  let acting: Readonly<{ stop: AbortController; done: Promise<void> }> | undefined;

  const asked = () => {
    since = performance.now();
    acting?.stop.abort();
  };
  const begin = () => {
    const stop = new AbortController();
    const done = act(stop.signal)
      .catch((error) => {
        if (stop.signal.aborted) return;
        clearInterval(timer);
        onFailed(error);
      })
      .finally(() => {
        since = performance.now();
        acting = undefined;
      });
    acting = { stop, done };
  };
  const timer = setInterval(() => {
    if (!acting && !wanted()) return;
    if (busy()) asked();
    else if (!acting && performance.now() - since >= afterMs) begin();
  }, checkEveryMs);
  timer.unref();

  return {
    asked,
    close: async () => {
      clearInterval(timer);
      acting?.stop.abort();
      await acting?.done;
    },
  };
};
