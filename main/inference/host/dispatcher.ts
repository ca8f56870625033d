/** Gathers photos into batches, hands each to a free lane, and replies with what came of them. Never blocks. */
import type { Precision } from '../../contract/labels.ts';
import type { Operation, Pair } from '../../contract/operation.ts';
import type { PackInput } from '../../contract/pack.ts';
import type { Judgement } from '../../contract/seam.ts';
import { slaMsOn } from '../../contract/settings.ts';
import type { FaultPoint } from '../../hosts/faults.ts';
import { batchCeiling, paddedSize } from '../batch-size.ts';
import type {
  BatchSetting,
  BatchTimes,
  Heartbeat,
  InferenceFailure,
  InferenceReply,
  LoadedInfo,
  Timing,
} from '../protocol.ts';
import type { SessionReply, SessionRun, SessionWork } from '../worker-protocol.ts';
import { adviceOn, afterBatch, type BatchLimits, firstBatch, underCeiling, urgentBatch } from './batch-control.ts';
import { createBatchQueue, type QueueItem } from './batch-queue.ts';
import type { Lane, Lanes } from './lanes.ts';
import type { Pixels } from './pixel-server.ts';
import { createStaging } from './staging.ts';

/** One photo, whose pairs may run in several batches. */
type Photo = {
  readonly job: number;
  readonly judgements: Judgement[];
  left: number;
  /** The core was told that it failed; a result that still comes is late. */
  failed: boolean;
  queueMs: number;
  runMs: number;
  /** Another than the loaded one as soon as one of its batches ran in that. */
  precision: Precision;
};
/** What a sample is asked besides its pictures. */
type Asked =
  | Readonly<{ kind: 'encode'; parts: readonly string[] }>
  | Readonly<{ kind: 'judge'; pair: Pair }>
  | Readonly<{ kind: 'ask'; question: string }>;
type Item = QueueItem &
  Readonly<{ photo: Photo; pixels: Uint8Array; asked: Asked; index: number; client: string; at: number }>;
export type Running = Readonly<{ items: readonly Item[]; startedAt: number; limitMs: number }>;

export type DispatcherOptions = Readonly<{
  info: LoadedInfo;
  input: PackInput;
  msPerSample: number;
  /** Photos that may wait. */
  maxQueue: number;
  lanes: Lanes<Running>;
  setting: BatchSetting;
  maxDelayMs: number;
  limits: BatchTimes;
  /** Bytes that a batch may be planned with. */
  freeMemory: () => Promise<number>;
  reply: (reply: InferenceReply) => void;
  faultAt: FaultPoint;
}>;

export type Dispatcher = Readonly<{
  takeIn: (pixels: Pixels) => void;
  finish: (lane: Lane<Running>, ran: Extract<SessionReply, { kind: 'ran' }>) => void;
  cancel: (jobs: ReadonlySet<number>) => void;
  /** Call when a lane has become free. */
  pump: () => void;
  set: (setting: BatchSetting, maxDelayMs: number, limits: BatchTimes) => Promise<void>;
  /** Reads the memory again and chooses the batch anew, where it is automatic. */
  chooseBatch: () => Promise<void>;
  heartbeat: () => Heartbeat;
}>;

/** A joint pack's photo waits as a pair with each part: three of each of the thousand statements that a set may hold. */
const pairsPerPhoto = 3000;
/** How many times its usual time a batch may take. */
const limitFactor = 4;

const askedOf = (operation: Operation): readonly Asked[] =>
  operation.kind === 'judge' ? operation.pairs.map((pair) => ({ kind: 'judge', pair })) : [operation];

const groupOf = (asked: Asked): string =>
  asked.kind === 'encode' ? JSON.stringify([asked.kind, ...asked.parts]) : asked.kind;

/** The items are of one group. */
const workOf = (items: readonly Item[]): SessionWork => {
  const all = items.map(({ asked }) => asked);
  const [first] = all;
  if (first?.kind === 'encode') return first;
  const pairs = all.flatMap((asked) => (asked.kind === 'judge' ? [asked.pair] : []));
  const questions = all.flatMap((asked) => (asked.kind === 'ask' ? [asked.question] : []));
  return questions.length > 0 ? { kind: 'ask', questions } : { kind: 'judge', pairs };
};

export const createDispatcher = (options: DispatcherOptions): Dispatcher => {
  const { info, input, lanes, reply, faultAt } = options;
  const joint = info.adapter.kind === 'joint';
  const onCpu = info.device.used === 'cpu';
  const queue = createBatchQueue<Item>(joint ? options.maxQueue * pairsPerPhoto : options.maxQueue);
  const staging = createStaging<Item>(info.adapter.views, info.lanes + 1);
  const totals = { batches: 0, samples: 0, largestBatch: 0, busyMs: 0, gapMs: 0, fellBack: 0 };
  let { setting, maxDelayMs, limits, msPerSample } = options;
  let memoryCeiling = 1;
  const bounds = (): BatchLimits => ({
    ceiling: Math.min(memoryCeiling, (setting.mode === 'auto' && setting.ceiling) || memoryCeiling),
    slaMs: slaMsOn(info.device.used, limits),
    lanes: info.lanes,
  });
  let control = firstBatch(bounds());
  let batch = 1;
  let wake: NodeJS.Timeout | undefined;

  const fail = (photo: Photo, code: InferenceFailure, detail: string, limitMs: number | null = null): void => {
    if (photo.failed) return;
    photo.failed = true;
    reply({ kind: 'failed', job: photo.job, code, detail, limitMs });
  };

  /** What the next batch may hold: fewer where somebody waits for the photo at its head. */
  const room = (): number =>
    setting.mode === 'auto' && queue.peek(1)[0]?.priority === 'interactive' ? urgentBatch(control) : batch;

  const start = (lane: Lane<Running>): void => {
    const items = queue.take(room());
    const padded = paddedSize(items.length, onCpu, input.maxBatch);
    const views = staging.fill(items, Math.max(padded, batch));
    const startedAt = Date.now();
    lane.running = { items, startedAt, limitMs: Math.max(limits.bulkMs, limitFactor * msPerSample * items.length) };
    for (const { photo, at } of items) photo.queueMs = Math.max(photo.queueMs, startedAt - at);
    const faults = items.map(({ client }) => faultAt(client));
    const run: SessionRun = { kind: 'run', size: items.length, padded, views, work: workOf(items), faults };
    lane.worker.postMessage(run, Object.values(views));
  };

  const expire = (now: number): void => {
    for (const { photo, deadlineAt, at } of queue.expire(now)) {
      fail(photo, 'timed_out', 'while waiting', (deadlineAt ?? now) - at);
      queue.remove((item) => item.photo === photo);
    }
    for (const running of lanes.running()) {
      for (const item of running.items) {
        const { endsAt, limitMs } = limitOf(item, running);
        if (endsAt <= now) fail(item.photo, 'timed_out', 'in a batch that took too long', limitMs);
      }
    }
  };

  /** An interactive photo brings its own limit; the others share that of their batch. */
  const limitOf = ({ deadlineAt, at }: Item, { startedAt, limitMs }: Running) =>
    deadlineAt === null ? { endsAt: startedAt + limitMs, limitMs } : { endsAt: deadlineAt, limitMs: deadlineAt - at };

  /** When there will be something to do although nothing comes. */
  const nextMoment = (): number => {
    const deadlines = lanes
      .running()
      .flatMap((running) =>
        running.items.flatMap((item) => (item.photo.failed ? [] : [limitOf(item, running).endsAt])),
      );
    const due = lanes.free() ? queue.dueAt(room(), maxDelayMs) : null;
    const waiting = queue.nextDeadline();
    return Math.min(...deadlines, due ?? Number.POSITIVE_INFINITY, waiting ?? Number.POSITIVE_INFINITY);
  };

  const pump = (): void => {
    clearTimeout(wake);
    const now = Date.now();
    expire(now);
    for (let lane = lanes.free(); lane; lane = lanes.free()) {
      const due = queue.dueAt(room(), maxDelayMs);
      if (due === null || due > now) break;
      start(lane);
    }
    if (!lanes.free()) staging.prepare(queue.peek(room()), batch);
    const moment = nextMoment();
    if (moment !== Number.POSITIVE_INFINITY) wake = setTimeout(pump, Math.max(0, moment - Date.now()));
  };

  const resize = (): void => {
    const before = batch;
    batch = setting.mode === 'fixed' ? setting.size : control.size;
    // Whoever feeds the queue need not wait for the next beat to know.
    if (batch !== before) reply(heartbeat());
  };

  const chooseBatch = async (): Promise<void> => {
    memoryCeiling = batchCeiling(input, await options.freeMemory());
    control = underCeiling(control, bounds());
    resize();
    pump();
  };

  const heartbeat = (): Heartbeat => {
    const now = Date.now();
    const running = lanes.running();
    const slowest = running.reduce<Running | undefined>(
      (worst, one) => (worst && worst.startedAt + worst.limitMs <= one.startedAt + one.limitMs ? worst : one),
      undefined,
    );
    const slow = msPerSample * batch > bounds().slaMs;
    return {
      kind: 'heartbeat',
      queued: queue.size(),
      running: running.reduce((sum, { items }) => sum + items.length, 0),
      batch,
      advice: setting.mode === 'fixed' ? adviceOn(setting.size, memoryCeiling, slow) : null,
      slowed: setting.mode === 'auto' && control.slowed,
      rssBytes: process.memoryUsage.rss(),
      runningMs: slowest ? now - slowest.startedAt : 0,
      limitMs: slowest?.limitMs ?? 0,
      ...totals,
    };
  };

  return {
    pump,
    chooseBatch,
    takeIn({ job, delivery, pixels }) {
      const all = askedOf(delivery.operation);
      const { precision } = info;
      const photo: Photo = { job, judgements: [], left: all.length, failed: false, queueMs: 0, runMs: 0, precision };
      const { priority, deadlineAt, client } = delivery;
      const at = Date.now();
      if (all.length === 0) fail(photo, 'run_failed', 'no statement to judge');
      for (const [index, asked] of all.entries()) {
        const item = { priority, deadlineAt, client, group: groupOf(asked), photo, pixels, asked, index, at };
        if (queue.add(item, at) === 'queued') continue;
        queue.remove((other) => other.photo === photo);
        fail(photo, 'queue_full', `${queue.size()} wait already`);
        break;
      }
      pump();
    },
    finish(lane, { results, precision, runMs, idleMs, views }) {
      const { items = [], limitMs = 0 } = lane.running ?? {};
      lane.running = undefined;
      staging.giveBack(views);
      totals.batches += 1;
      totals.samples += items.length;
      totals.largestBatch = Math.max(totals.largestBatch, items.length);
      totals.busyMs += runMs;
      const fellBack = precision !== info.precision;
      if (fellBack) totals.fellBack += items.length;
      if (lane.batchWaited) totals.gapMs += idleMs;
      lane.batchWaited = queue.size() >= batch;
      // A batch that missed its limit says little of what is usual, but should all do, the limit must follow.
      const weight = runMs > limitMs ? 0.02 : 0.2;
      msPerSample = (1 - weight) * msPerSample + weight * (runMs / items.length);
      // A fixed size is no part of the search.
      if (setting.mode === 'auto') control = afterBatch(control, { photos: items.length, runMs }, bounds(), Date.now());
      resize();
      // The next batch first: it is what the lane waits for.
      pump();

      // Told before its photos are done, so that whoever waits for them knows.
      if (fellBack) reply(heartbeat());
      const now = Date.now();
      for (const [i, { photo, index, deadlineAt }] of items.entries()) {
        const result = results[i]!;
        const { job } = photo;
        photo.left -= 1;
        photo.runMs += runMs;
        if (fellBack) photo.precision = precision;
        if (result.kind === 'failed') {
          queue.remove((item) => item.photo === photo);
          photo.left = Number.POSITIVE_INFINITY;
          fail(photo, result.code, result.detail);
          continue;
        }
        const timing: Timing = { queueMs: photo.queueMs, runMs: photo.runMs, batch: items.length };
        const late = photo.failed || (deadlineAt !== null && deadlineAt <= now);
        const made = { precision: photo.precision, timing, late };
        if (result.kind === 'evidence') reply({ kind: 'encoded', job, evidence: result.evidence, ...made });
        else if (result.kind === 'answer') reply({ kind: 'answered', job, answer: result.answer, ...made });
        else {
          photo.judgements[index] = result.judgement;
          if (photo.left === 0) reply({ kind: 'judged', job, judgements: photo.judgements, ...made });
        }
      }
    },
    cancel(jobs) {
      for (const { photo } of queue.remove((item) => jobs.has(item.photo.job))) fail(photo, 'cancelled', '');
    },
    async set(next, delay, times) {
      setting = next;
      maxDelayMs = delay;
      limits = times;
      await chooseBatch();
    },
    heartbeat,
  };
};
