/** The engine's figures of the last ten minutes, one a second at most, for the charts. */
import { create } from 'zustand';
import type { EngineState } from '../../main/contract/views.ts';

export type Sample = Readonly<{
  at: number;
  photosPerSecond: number;
  p50: number | null;
  p95: number | null;
  p99: number | null;
  batch: number;
  queue: number;
  /** What the inference host holds; null while there is none. */
  memoryMb: number | null;
}>;

const spanMs = 10 * 60_000;
const leastGapMs = 900;

/** Drops what is older than ten minutes; within a second of the last sample, its figures are brought up to date. */
export const addSample = (samples: readonly Sample[], next: Sample): readonly Sample[] => {
  const last = samples.at(-1);
  if (last && next.at - last.at < leastGapMs) return [...samples.slice(0, -1), { ...next, at: last.at }];
  return [...samples.filter((sample) => next.at - sample.at <= spanMs), next];
};

const sampleOf = (state: EngineState, at: number): Sample => ({
  at,
  photosPerSecond: state.photosPerSecond,
  p50: state.latencyMs?.p50 ?? null,
  p95: state.latencyMs?.p95 ?? null,
  p99: state.latencyMs?.p99 ?? null,
  batch: state.batch.mean ?? state.batch.size,
  queue: state.queue.waiting,
  memoryMb: state.hosts.inference && state.hosts.inference.rssBytes / 1e6,
});

export const useHistory = create<{ samples: readonly Sample[]; add: (state: EngineState) => void }>((set) => ({
  samples: [],
  add: (state) => set(({ samples }) => ({ samples: addSample(samples, sampleOf(state, Date.now())) })),
}));
