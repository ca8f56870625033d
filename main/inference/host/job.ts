/** A photo that the inference host was sent, and the samples that it is taken apart into: what one batch holds of it. */
import type { Precision } from '../../contract/labels.ts';
import type { Operation, Pair } from '../../contract/operation.ts';
import type { Judgement } from '../../contract/seam.ts';
import type { InferenceFailure, InferenceReply, LoadedInfo } from '../protocol.ts';
import type { SessionWork } from '../worker-protocol.ts';
import type { BatchQueue, QueueItem } from './batch-queue.ts';
import type { Pixels } from './pixel-server.ts';

export type Job = {
  readonly id: number;
  readonly client: string;
  readonly operation: Operation;
  readonly pixels: Uint8Array;
  /** When it came, UTC milliseconds. */
  readonly at: number;
  /** One for each pair, in the order of the operation. */
  readonly judgements: Judgement[];
  /** Samples that have not come back. */
  left: number;
  /** The core was told that it failed; a result that still comes is late. */
  failed: boolean;
  /** How long it waited for its first batch; null until that starts. */
  queueMs: number | null;
  /** The time of every batch that it was in, each once. */
  runMs: number;
  /** Its part of that time. */
  shareMs: number;
  /** Another than the loaded one as soon as one of its batches ran in that. */
  precision: Precision;
};

type Asked =
  | Extract<Operation, { kind: 'encode' }>
  | Readonly<{ kind: 'judge'; pair: Pair }>
  | Extract<Operation, { kind: 'ask' }>;

export type Sample = QueueItem & Readonly<{ job: Job; asked: Asked; index: number }>;

/** Why a pack cannot do what is asked; null where it can. */
const problemWith = ({ kind, answers }: LoadedInfo['adapter'], operation: Operation): string | null => {
  if (operation.kind === 'ask') return answers ? null : 'the pack answers no questions';
  if (operation.kind === 'judge' && operation.pairs.length === 0) return 'no statement to judge';
  const fitting = kind === 'joint' ? 'judge' : 'encode';
  return operation.kind === fitting ? null : `a ${kind} pack cannot ${operation.kind}`;
};

const askedOf = (operation: Operation): readonly Asked[] =>
  operation.kind === 'judge' ? operation.pairs.map((pair) => ({ kind: 'judge', pair })) : [operation];

const groupOf = (asked: Asked): string =>
  asked.kind === 'encode' ? JSON.stringify([asked.kind, ...asked.parts]) : asked.kind;

/** Nothing where the core was told before. */
export const failJob = (
  job: Job,
  code: InferenceFailure,
  detail: string,
  limitMs: number | null = null,
): readonly InferenceReply[] => {
  if (job.failed) return [];
  job.failed = true;
  return [{ kind: 'failed', job: job.id, code, detail, limitMs }];
};

const noTime = { runMs: 0, shareMs: 0 };

/** Queues all samples of a photo, or none: then the reply says why. */
export const takeIn = (
  queue: BatchQueue<Sample>,
  { adapter, precision }: Pick<LoadedInfo, 'adapter' | 'precision'>,
  { job: id, delivery, pixels }: Pixels,
  now: number,
): readonly InferenceReply[] => {
  const { operation, client, priority, deadlineAt } = delivery;
  const all = askedOf(operation);
  const came = { id, client, operation, pixels, at: now };
  const job: Job = { ...came, judgements: [], left: all.length, failed: false, queueMs: null, ...noTime, precision };
  const problem = problemWith(adapter, operation);
  if (problem !== null) return failJob(job, 'run_failed', problem);
  for (const [index, asked] of all.entries()) {
    const sample: Sample = { priority, deadlineAt, group: groupOf(asked), job, asked, index };
    if (queue.add(sample, now) === 'queued') continue;
    queue.remove((other) => other.job === job);
    return failJob(job, 'queue_full', `${queue.size()} wait already`);
  }
  return [];
};

/** What a batch is to have done to it; its samples are of one group. */
export const workOf = (samples: readonly Sample[]): SessionWork => {
  const all = samples.map(({ asked }) => asked);
  const [first] = all;
  if (first?.kind === 'encode') return first;
  if (first?.kind === 'ask')
    return { kind: 'ask', questions: all.flatMap((a) => (a.kind === 'ask' ? a.question : [])) };
  return { kind: 'judge', pairs: all.flatMap((a) => (a.kind === 'judge' ? a.pair : [])) };
};
