/** Counts what the engine did. */
import { readFileSync } from 'node:fs';

export type Sample = Readonly<{ batch: number; runMs: number; latencyMs: number }>;
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

export const createTally = (): Tally => {
  let samples = 0;
  let batches = 0;
  let busyMs = 0;
  let largestBatch = 0;
  const latencies: number[] = [];
  return {
    add({ batch, runMs, latencyMs }) {
      latencies[samples % keptLatencies] = latencyMs;
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
      latencies: [...latencies],
    }),
  };
};

const pageBytes = 4096;

/** Resident memory of a process in bytes; null where the system does not tell cheaply. */
export const residentBytes = (pid: number | undefined): number | null => {
  if (pid === undefined || process.platform !== 'linux') return null;
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
  } catch {
    return null;
  }
};
