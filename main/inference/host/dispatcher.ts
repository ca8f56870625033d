/** Gathers samples into batches, hands each to a free lane, and replies with what came of them. Never blocks. */
import type { FaultPoint } from '../../hosts/faults.ts';
import { batchCeiling, paddedSize } from '../batch-size.ts';
import type { BatchSetting, BatchTimes, Heartbeat, InferenceReply } from '../protocol.ts';
import type { SessionRun } from '../worker-protocol.ts';
import { createDispatchState, type DispatchOptions, heartbeatOf, type Running, useMemory } from './dispatch-state.ts';
import { failJob, type Job, takeIn, workOf } from './job.ts';
import type { Lane, Lanes } from './lanes.ts';
import type { Pixels } from './pixel-server.ts';
import { expire, nextMoment, room, startNext } from './schedule.ts';
import { type Ran, settle } from './settle.ts';
import { createStaging } from './staging.ts';

export type DispatcherOptions = DispatchOptions &
  Readonly<{
    lanes: Lanes<Running>;
    /** Bytes that a batch may be planned with. */
    freeMemory: () => Promise<number>;
    reply: (reply: InferenceReply) => void;
    faultAt: FaultPoint;
  }>;

export type Dispatcher = Readonly<{
  takeIn: (pixels: Pixels) => void;
  finish: (lane: Lane<Running>, ran: Ran) => void;
  cancel: (jobs: ReadonlySet<number>) => void;
  /** Call when a lane has become free. */
  pump: () => void;
  set: (setting: BatchSetting, maxDelayMs: number, limits: BatchTimes) => Promise<void>;
  /** Reads the memory again and chooses the batch anew, where it is automatic. */
  chooseBatch: () => Promise<void>;
  heartbeat: () => Heartbeat;
}>;

export const createDispatcher = ({ lanes, freeMemory, reply, faultAt, ...options }: DispatcherOptions): Dispatcher => {
  const { info, input } = options;
  const state = createDispatchState(options);
  const { queue, totals } = state;
  const staging = createStaging<Job>(info.adapter.views, info.lanes + 1);
  let settling = 0;
  let wake: NodeJS.Timeout | undefined;

  const heartbeat = (): Heartbeat =>
    heartbeatOf(state, lanes.running(), settling, Date.now(), process.memoryUsage.rss());
  const replyAll = (replies: readonly InferenceReply[]): void => replies.forEach(reply);

  const start = (lane: Lane<Running>, batch: Running): void => {
    const { samples } = batch;
    const padded = paddedSize(samples.length, info.device.used === 'cpu', input.maxBatch);
    const jobs = samples.map(({ job }) => job);
    const views = staging.fill(jobs, Math.max(padded, state.batch));
    lane.running = batch;
    const faults = jobs.map(({ client }) => faultAt(client));
    const run: SessionRun = { kind: 'run', size: jobs.length, padded, views, work: workOf(samples), faults };
    lane.worker.postMessage(run, Object.values(views));
  };

  const pump = (): void => {
    clearTimeout(wake);
    replyAll(expire(state, lanes.running(), Date.now()));
    for (let lane = lanes.free(); lane; lane = lanes.free()) {
      const batch = startNext(state, Date.now());
      if (!batch) break;
      start(lane, batch);
    }
    const free = lanes.free() !== undefined;
    if (!free)
      staging.prepare(
        queue.peek(room(state)).map(({ job }) => job),
        state.batch,
      );
    const moment = nextMoment(state, lanes.running(), free);
    if (moment !== Number.POSITIVE_INFINITY) wake = setTimeout(pump, Math.max(0, moment - Date.now()));
  };

  /** Whoever feeds the queue need not wait for the next beat to know that the batch is another. */
  const tellingOfBatch = (change: () => void): void => {
    const before = state.batch;
    change();
    if (state.batch !== before) reply(heartbeat());
  };

  const chooseBatch = async (): Promise<void> => {
    const ceiling = batchCeiling(input, await freeMemory());
    tellingOfBatch(() => useMemory(state, ceiling));
    pump();
  };

  return {
    pump,
    chooseBatch,
    takeIn(pixels) {
      replyAll(takeIn(queue, info, pixels, Date.now()));
      pump();
    },
    finish(lane, ran) {
      const { running } = lane;
      if (!running) throw new Error('a lane finished what it did not run');
      lane.running = undefined;
      staging.giveBack(ran.views);
      // Until its photos are told of, nobody may take them for lost.
      settling += running.samples.length;
      if (lane.batchWaited) totals.gapMs += ran.idleMs;
      lane.batchWaited = queue.size() >= state.batch;
      const { fellBack } = totals;
      let replies: readonly InferenceReply[] = [];
      tellingOfBatch(() => {
        replies = settle(state, running, ran, Date.now());
      });
      // The next batch first: it is what the lane waits for.
      pump();
      // The figures before the results, so that whoever has the last one has them whole.
      if (totals.fellBack !== fellBack || (queue.size() === 0 && lanes.running().length === 0)) reply(heartbeat());
      settling -= running.samples.length;
      replyAll(replies);
    },
    cancel(jobs) {
      for (const { job } of queue.remove((sample) => jobs.has(sample.job.id))) replyAll(failJob(job, 'cancelled', ''));
    },
    async set(setting, maxDelayMs, limits) {
      Object.assign(state, { setting, maxDelayMs, limits });
      await chooseBatch();
    },
    heartbeat,
  };
};
