/**
 * Process entry: takes pixels from the image hosts, gathers them into batches and has the session worker run one batch
 * at a time. This thread never blocks, so that it can refuse, expire and report while a batch runs.
 */
import { Worker } from 'node:worker_threads';
import type { Judgement } from '../contract/seam.ts';
import { type BatchQueue, createBatchQueue, type QueueItem } from './batch-queue.ts';
import { batchCeiling, type PackInput, paddedSize, startingBatch } from './batch-size.ts';
import { faultsFor } from './faults.ts';
import { openHostPort } from './host-port.ts';
import { listenForPixels, type Pixels } from './pixel-server.ts';
import type {
  BatchSetting,
  InferenceFailure,
  InferenceReply,
  InferenceRequest,
  LoadRequest,
  Timing,
} from './protocol.ts';
import { bytesPerPhoto, createStaging, type Staging } from './staging.ts';
import type { SessionReply, SessionRequest } from './worker-protocol.ts';

/** One photo, whose parts (of a joint pack) may run in several batches. */
type Photo = {
  readonly job: number;
  readonly judgements: Judgement[];
  left: number;
  /** The core was told that it failed; a result that still comes is late. */
  failed: boolean;
  queueMs: number;
  runMs: number;
};
type Item = QueueItem &
  Readonly<{ photo: Photo; pixels: Uint8Array; part: string; index: number; client: string; at: number }>;
type Running = Readonly<{ items: readonly Item[]; startedAt: number; limitMs: number }>;
type Engine = Readonly<{
  queue: BatchQueue<Item>;
  staging: Staging<Item>;
  payloadBytes: number;
  input: PackInput;
  joint: boolean;
  onCpu: boolean;
}>;

const heartbeatMs = 1000;
const memoryEveryMs = 10_000;
/** A joint pack's photo waits as several pairs. */
const pairsPerPhoto = 64;
/** Shortest time limit of a batch, and how many times its usual time it may take. */
const leastLimitMs = 5000;
const limitFactor = 4;

const port = openHostPort<InferenceRequest, InferenceReply>();
const faultAt = faultsFor('inference');
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const worker = new Worker(new URL(`./session-worker.${extension}`, import.meta.url));
const tell = (request: SessionRequest, handedOver: ArrayBuffer[] = []) => worker.postMessage(request, handedOver);
worker.on('error', (error) => {
  console.error(error);
  process.exit(1);
});

let engine: Engine | undefined;
let running: Running | undefined;
let setting: BatchSetting = { mode: 'auto' };
let maxDelayMs = 8;
let batch = 1;
let msPerSample = 0;
let wake: NodeJS.Timeout | undefined;
const totals = { batches: 0, samples: 0, largestBatch: 0, busyMs: 0, gapMs: 0 };
/** Whether a full batch was waiting when the last one ended. */
let batchWaited = false;

const fail = (photo: Photo, code: InferenceFailure, detail: string): void => {
  if (photo.failed) return;
  photo.failed = true;
  port.reply({ kind: 'failed', job: photo.job, code, detail });
};

const start = ({ queue, staging, onCpu, joint }: Engine): void => {
  const items = queue.take(batch);
  const padded = paddedSize(items.length, onCpu);
  const views = staging.fill(items, Math.max(padded, batch));
  const limitMs = Math.max(leastLimitMs, limitFactor * msPerSample * items.length);
  const startedAt = Date.now();
  running = { items, startedAt, limitMs };
  for (const { photo, at } of items) photo.queueMs = Math.max(photo.queueMs, startedAt - at);
  const parts = joint ? items.map((item) => item.part) : [];
  const faults = items.map((item) => faultAt(item.client));
  tell({ kind: 'run', size: items.length, padded, views, parts, faults }, Object.values(views));
};

const expireRunning = (now: number): void => {
  for (const { photo, deadlineAt } of running?.items ?? []) {
    if (deadlineAt !== null && deadlineAt <= now) fail(photo, 'timed_out', 'in a batch that took too long');
  }
};

const pump = (): void => {
  clearTimeout(wake);
  if (!engine) return;
  const { queue, staging } = engine;
  const now = Date.now();
  for (const { photo } of queue.expire(now)) {
    fail(photo, 'timed_out', 'while waiting');
    queue.remove((item) => item.photo === photo);
  }
  expireRunning(now);
  const due = queue.dueAt(batch, maxDelayMs);
  if (!running && due !== null && due <= now) start(engine);
  if (running) staging.prepare(queue.peek(batch), batch);

  const moments = (running?.items ?? []).flatMap(({ photo, deadlineAt }) =>
    deadlineAt === null || photo.failed ? [] : [deadlineAt],
  );
  const next = running ? null : queue.dueAt(batch, maxDelayMs);
  const deadline = queue.nextDeadline();
  for (const moment of [next, deadline]) if (moment !== null) moments.push(moment);
  if (moments.length > 0) wake = setTimeout(pump, Math.max(0, Math.min(...moments) - Date.now()));
};

const takeIn = ({ job, delivery, pixels }: Pixels): void => {
  if (!engine) return;
  const { queue, joint } = engine;
  const parts = joint ? delivery.parts : [''];
  const photo: Photo = { job, judgements: [], left: parts.length, failed: false, queueMs: 0, runMs: 0 };
  const now = Date.now();
  const { priority, deadlineAt, client } = delivery;
  if (parts.length === 0) fail(photo, 'run_failed', 'no statement to judge');
  for (const [index, part] of parts.entries()) {
    const item = { priority, deadlineAt, client, photo, pixels, part, index, at: now };
    if (queue.add(item, now) === 'queue_full') {
      queue.remove((other) => other.photo === photo);
      fail(photo, 'queue_full', `${queue.size()} wait already`);
      return;
    }
  }
  pump();
};

const finish = ({ results, runMs, idleMs, views }: Extract<SessionReply, { kind: 'ran' }>): void => {
  if (!running || !engine) return;
  const { items } = running;
  running = undefined;
  engine.staging.giveBack(views);
  totals.batches += 1;
  totals.samples += items.length;
  totals.largestBatch = Math.max(totals.largestBatch, items.length);
  totals.busyMs += runMs;
  if (batchWaited) totals.gapMs += idleMs;
  batchWaited = engine.queue.size() >= batch;
  const perSample = runMs / items.length;
  msPerSample = msPerSample === 0 ? perSample : 0.8 * msPerSample + 0.2 * perSample;
  // The next batch first: it is what the worker waits for.
  pump();

  const now = Date.now();
  for (const [i, { photo, index, deadlineAt }] of items.entries()) {
    const result = results[i]!;
    photo.left -= 1;
    photo.runMs += runMs;
    if (result.kind === 'failed') {
      engine.queue.remove((item) => item.photo === photo);
      photo.left = Number.POSITIVE_INFINITY;
      fail(photo, result.code, result.detail);
      continue;
    }
    const timing: Timing = { queueMs: photo.queueMs, runMs: photo.runMs, batch: items.length };
    const late = photo.failed || (deadlineAt !== null && deadlineAt <= now);
    const { job } = photo;
    if (result.kind === 'evidence') port.reply({ kind: 'encoded', job, evidence: result.evidence, timing, late });
    else {
      photo.judgements[index] = result.judgement;
      if (photo.left === 0) port.reply({ kind: 'judged', job, judgements: photo.judgements, timing, late });
    }
  }
};

const freeMemory = async (): Promise<number> => {
  const { mem } = await import('systeminformation');
  return (await mem()).available;
};

const chooseBatch = async (): Promise<void> => {
  if (!engine) return;
  if (setting.mode === 'fixed') batch = setting.size;
  else {
    const ceiling = batchCeiling(engine.input, await freeMemory());
    batch = Math.min(startingBatch(ceiling, engine.onCpu), setting.ceiling ?? Number.POSITIVE_INFINITY);
  }
  pump();
};

const heartbeat = (): void => {
  port.reply({
    kind: 'heartbeat',
    queued: engine?.queue.size() ?? 0,
    running: running?.items.length ?? 0,
    batch,
    rssBytes: process.memoryUsage.rss(),
    runningMs: running ? Date.now() - running.startedAt : 0,
    limitMs: running?.limitMs ?? 0,
    ...totals,
  });
};

const whenLoaded = async (reply: Extract<SessionReply, { kind: 'loaded' }>, request: LoadRequest): Promise<void> => {
  const { views, kind } = reply.info.adapter;
  const joint = kind === 'joint';
  engine = {
    queue: createBatchQueue(joint ? request.maxQueue * pairsPerPhoto : request.maxQueue),
    staging: createStaging(views),
    payloadBytes: bytesPerPhoto(views),
    input: reply.inputs[0]!,
    joint,
    onCpu: reply.info.device.used === 'cpu',
  };
  msPerSample = reply.msPerSample;
  await chooseBatch();
  setInterval(chooseBatch, memoryEveryMs);
  heartbeat();
  setInterval(heartbeat, heartbeatMs);
  port.reply({ kind: 'loaded', info: reply.info });
};

const load = async (request: LoadRequest): Promise<void> => {
  setting = request.batch;
  maxDelayMs = request.maxDelayMs;
  const { packDir, device, precision, threads, socket, token } = request;
  const listening = listenForPixels({
    path: socket,
    token,
    payloadBytes: () => engine?.payloadBytes ?? -1,
    onPixels: takeIn,
  }).then(() => port.reply({ kind: 'listening', pid: process.pid }));
  worker.on('message', async (reply: SessionReply) => {
    if (reply.kind === 'ran') return finish(reply);
    if (reply.kind === 'load_failed') return port.reply(reply);
    await listening;
    await whenLoaded(reply, request);
  });
  tell({ kind: 'load', packDir, device, precision, threads });
  await listening;
};

port.onRequest(async (request) => {
  switch (request.kind) {
    case 'load':
      return load(request.request);
    case 'batch':
      setting = request.batch;
      maxDelayMs = request.maxDelayMs;
      return chooseBatch();
    case 'cancel': {
      const jobs = new Set(request.jobs);
      for (const { photo } of engine?.queue.remove((item) => jobs.has(item.photo.job)) ?? []) {
        fail(photo, 'cancelled', '');
      }
      return;
    }
    case 'stop':
      process.exit(0);
  }
});
