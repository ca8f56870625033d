/** What the engine did: the hosts' own counts, and how long photos took. */
import type { Totals } from '../protocol.ts';

export const noTotals: Totals = { batches: 0, samples: 0, largestBatch: 0, busyMs: 0, gapMs: 0, fellBack: 0 };

/** Of two hosts together. */
export const addTotals = (a: Totals, b: Totals): Totals => ({
  batches: a.batches + b.batches,
  samples: a.samples + b.samples,
  largestBatch: Math.max(a.largestBatch, b.largestBatch),
  busyMs: a.busyMs + b.busyMs,
  gapMs: a.gapMs + b.gapMs,
  fellBack: a.fellBack + b.fellBack,
});

export type Latencies = Readonly<{
  add: (ms: number) => void;
  /** Of the last minute, or the latest hundred where those are more. */
  recent: () => readonly number[];
}>;

const keptLatencies = 10_000;
const recentMs = 60_000;
const leastRecent = 100;

/** `now`: milliseconds of any clock that only goes on. */
export const createLatencies = (now: () => number = performance.now.bind(performance)): Latencies => {
  let latencies: Readonly<{ ms: number; at: number }>[] = [];
  /** Forgets in bulk, so that a photo costs no more for what is kept. */
  const forget = () => {
    if (latencies.length >= 2 * keptLatencies) latencies = latencies.slice(-keptLatencies);
  };
  return {
    add(ms) {
      latencies.push({ ms, at: now() });
      forget();
    },
    recent() {
      const since = now() - recentMs;
      const first = latencies.findIndex(({ at }) => at >= since);
      const count = Math.max(leastRecent, first < 0 ? 0 : latencies.length - first);
      return latencies.slice(-Math.min(count, keptLatencies)).map(({ ms }) => ms);
    },
  };
};
