/** Counts what the engine did. */

type Sample = Readonly<{ batch: number; runMs: number; latencyMs: number }>;
export type Tally = Readonly<{
  add: (sample: Sample) => void;
  totals: () => Readonly<{
    batches: number;
    samples: number;
    meanBatch: number;
    largestBatch: number;
    busyMs: number;
    latencies: readonly number[];
  }>;
}>;

const keptLatencies = 10_000;
const recentMs = 60_000;
const leastRecent = 100;

/** `now`: milliseconds of any clock that only goes on. */
export const createTally = (now: () => number = performance.now.bind(performance)): Tally => {
  let samples = 0;
  let batches = 0;
  let busyMs = 0;
  let largestBatch = 0;
  let latencies: Readonly<{ ms: number; at: number }>[] = [];
  /** Forgets in bulk, so that a photo costs no more for what is kept. */
  const forget = () => {
    if (latencies.length >= 2 * keptLatencies) latencies = latencies.slice(-keptLatencies);
  };
  const recent = (): readonly number[] => {
    const since = now() - recentMs;
    const first = latencies.findIndex(({ at }) => at >= since);
    const count = Math.max(leastRecent, first < 0 ? 0 : latencies.length - first);
    return latencies.slice(-Math.min(count, keptLatencies)).map(({ ms }) => ms);
  };
  return {
    add({ batch, runMs, latencyMs }) {
      latencies.push({ ms: latencyMs, at: now() });
      forget();
      samples += 1;
      // A photo in a batch of n is an nth of that batch.
      batches += 1 / batch;
      busyMs += runMs / batch;
      largestBatch = Math.max(largestBatch, batch);
    },
    totals: () => ({
      batches: Math.round(batches),
      samples,
      meanBatch: batches === 0 ? 0 : samples / batches,
      largestBatch,
      busyMs,
      latencies: recent(),
    }),
  };
};
