/** What a batch that is over has come to: it is counted, once, and its photos get their results. */
import type { InferenceReply, Timing } from '../protocol.ts';
import type { SampleResult, SessionReply } from '../worker-protocol.ts';
import { afterBatch } from './batch-control.ts';
import { boundsOf, type DispatchState, type Running, resize } from './dispatch-state.ts';
import { failJob, type Sample } from './job.ts';

export type Ran = Extract<SessionReply, { kind: 'ran' }>;

/** A batch that missed its limit says little of what is usual, but should all do, the limit must follow. */
const newWeight = { inTime: 0.2, late: 0.02 };

const count = (state: DispatchState, { samples, limitMs }: Running, { runMs, precision }: Ran, now: number): void => {
  const { totals, setting } = state;
  const size = samples.length;
  totals.batches += 1;
  totals.samples += size;
  totals.largestBatch = Math.max(totals.largestBatch, size);
  totals.busyMs += runMs;
  if (precision !== state.info.precision) totals.fellBack += size;
  const weight = runMs > limitMs ? newWeight.late : newWeight.inTime;
  state.msPerSample = (1 - weight) * state.msPerSample + weight * (runMs / size);
  // A fixed size is no part of the search.
  if (setting.mode === 'auto') state.control = afterBatch(state.control, { photos: size, runMs }, boundsOf(state), now);
  resize(state);
};

const settleSample = (
  { queue }: DispatchState,
  { job, index, deadlineAt }: Sample,
  result: SampleResult,
  batch: number,
  now: number,
): readonly InferenceReply[] => {
  job.left -= 1;
  if (result.kind === 'failed') {
    queue.remove((other) => other.job === job);
    job.left = Number.POSITIVE_INFINITY;
    return failJob(job, result.code, result.detail);
  }
  const timing: Timing = { queueMs: job.queueMs ?? 0, runMs: job.runMs, shareMs: job.shareMs, batch };
  const late = job.failed || (deadlineAt !== null && deadlineAt <= now);
  const made = { job: job.id, precision: job.precision, timing, late };
  if (result.kind === 'evidence') return [{ kind: 'encoded', evidence: result.evidence, ...made }];
  if (result.kind === 'answer') return [{ kind: 'answered', answer: result.answer, ...made }];
  job.judgements[index] = result.judgement;
  return job.left === 0 ? [{ kind: 'judged', judgements: job.judgements, ...made }] : [];
};

export const settle = (state: DispatchState, running: Running, ran: Ran, now: number): readonly InferenceReply[] => {
  count(state, running, ran, now);
  const { samples } = running;
  for (const [job, own] of Map.groupBy(samples, (sample) => sample.job)) {
    job.runMs += ran.runMs;
    job.shareMs += (ran.runMs * own.length) / samples.length;
    if (ran.precision !== state.info.precision) job.precision = ran.precision;
  }
  return samples.flatMap((sample, i) => settleSample(state, sample, ran.results[i]!, samples.length, now));
};
