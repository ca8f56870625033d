/** Which batch goes next, what has waited or run for too long, and when there is something to do although nothing comes. */
import type { InferenceReply } from '../protocol.ts';
import { urgentBatch } from './batch-control.ts';
import type { DispatchState, Running } from './dispatch-state.ts';
import { limitOf } from './dispatch-state.ts';
import { failJob, type Sample } from './job.ts';

/** What the next batch may hold: fewer where somebody waits for the photo at its head. */
export const room = ({ setting, queue, control, batch }: DispatchState): number =>
  setting.mode === 'auto' && queue.peek(1)[0]?.priority === 'interactive' ? urgentBatch(control) : batch;

/** When the next batch is to start; null where nothing waits. */
export const nextStart = (state: DispatchState): number | null => state.queue.dueAt(room(state), state.maxDelayMs);

/** The next batch, if it is due; it has left the queue then. */
export const startNext = (state: DispatchState, now: number): Running | null => {
  const due = nextStart(state);
  if (due === null || due > now) return null;
  const samples = state.queue.take(room(state));
  for (const { job } of samples) job.queueMs ??= now - job.at;
  return { samples, startedAt: now, limitMs: limitOf(state, samples.length) };
};

/** An interactive photo brings its own limit; the others share that of their batch. */
const limitIn = ({ deadlineAt, job }: Sample, { startedAt, limitMs }: Running) =>
  deadlineAt === null ? { endsAt: startedAt + limitMs, limitMs } : { endsAt: deadlineAt, limitMs: deadlineAt - job.at };

/** Gives up what is late: what waits leaves the queue, what runs may still bring its result. */
export const expire = (
  { queue }: DispatchState,
  running: readonly Running[],
  now: number,
): readonly InferenceReply[] => {
  const waited = queue.expire(now).flatMap(({ job, deadlineAt }) => {
    queue.remove((other) => other.job === job);
    return failJob(job, 'timed_out', 'while waiting', (deadlineAt ?? now) - job.at);
  });
  const ran = running.flatMap((batch) =>
    batch.samples.flatMap((sample) => {
      const { endsAt, limitMs } = limitIn(sample, batch);
      return endsAt <= now ? failJob(sample.job, 'timed_out', 'in a batch that took too long', limitMs) : [];
    }),
  );
  return [...waited, ...ran];
};

/** `lanesFree`: whether a batch could start. Infinity where all depends on what comes. */
export const nextMoment = (state: DispatchState, running: readonly Running[], lanesFree: boolean): number => {
  const deadlines = running.flatMap((batch) =>
    batch.samples.flatMap((sample) => (sample.job.failed ? [] : [limitIn(sample, batch).endsAt])),
  );
  const due = lanesFree ? nextStart(state) : null;
  const waiting = state.queue.nextDeadline();
  return Math.min(...deadlines, due ?? Number.POSITIVE_INFINITY, waiting ?? Number.POSITIVE_INFINITY);
};
