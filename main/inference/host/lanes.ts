/** The session workers: the first finds a device, others join it where the plan says so. */
import { Worker } from 'node:worker_threads';
import type { SessionLoad, SessionReply, SessionRequest } from '../worker-protocol.ts';

type Ran = Extract<SessionReply, { kind: 'ran' }>;
type FirstReply = Extract<SessionReply, { kind: 'loaded' | 'load_failed' }>;

/** One worker and what it runs now. */
export type Lane<R> = { readonly worker: Worker; running: R | undefined; batchWaited: boolean };

export type Lanes<R> = Readonly<{
  /** A lane that runs nothing. */
  free: () => Lane<R> | undefined;
  running: () => readonly R[];
}>;

export const openLanes = <R>(
  entry: URL,
  load: SessionLoad,
  on: Readonly<{ first: (reply: FirstReply) => void; joined: () => void; ran: (lane: Lane<R>, reply: Ran) => void }>,
): Lanes<R> => {
  const lanes: Lane<R>[] = [];

  const startWorker = (
    request: SessionRequest,
    onOther: (reply: Exclude<SessionReply, Ran>, lane: Lane<R>) => void,
  ) => {
    const worker = new Worker(entry);
    const lane: Lane<R> = { worker, running: undefined, batchWaited: false };
    worker.on('error', (error) => {
      console.error(error);
      process.exit(1);
    });
    worker.on('message', (reply: SessionReply) => {
      if (reply.kind === 'ran') on.ran(lane, reply);
      else onOther(reply, lane);
    });
    worker.postMessage(request);
  };

  const join = (request: SessionRequest) =>
    startWorker(request, (reply, lane) => {
      if (reply.kind === 'joined') {
        lanes.push(lane);
        on.joined();
      } else {
        if (reply.kind === 'load_failed') console.error(`a further session could not be opened: ${reply.detail}`);
        lane.worker.terminate();
      }
    });

  startWorker(load, (reply, lane) => {
    if (reply.kind === 'joined') return;
    if (reply.kind === 'loaded') {
      lanes.push(lane);
      const { device, precision, inputSize, threads, lanes: wanted } = reply.info;
      const { packDir, graphCache } = load;
      const on = { device: device.used, deviceIndex: device.index, precision, inputSize, graphCache };
      const request = { kind: 'join' as const, packDir, ...on };
      for (let i = 1; i < wanted; i += 1) join({ ...request, threads: threads / wanted });
    }
    on.first(reply);
  });

  return {
    free: () => lanes.find(({ running }) => running === undefined),
    running: () => lanes.flatMap(({ running }) => (running === undefined ? [] : [running])),
  };
};
