/**
 * Process entry: takes pixels from the image hosts, gathers them into batches and has session workers run them. This
 * thread never blocks, so that it can refuse, expire and report while batches run.
 */

import { faultsFor } from '../../hosts/faults.ts';
import { openHostPort } from '../../hosts/host-port.ts';
import type { OnDevice } from '../device-memory.ts';
import { memoryReader } from '../memory.ts';
import type { InferenceReply, InferenceRequest, LoadRequest } from '../protocol.ts';
import type { SessionReply } from '../worker-protocol.ts';
import type { Running } from './dispatch-state.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import { type Lanes, openLanes } from './lanes.ts';
import { listenForPixels } from './pixel-server.ts';
import { bytesPerPhoto } from './staging.ts';

const heartbeatMs = 1000;
const memoryEveryMs = 10_000;

const port = openHostPort<InferenceRequest, InferenceReply>();
const faultAt = faultsFor('inference');
const fromSource = import.meta.url.endsWith('.ts');
const workerEntry = new URL(fromSource ? '../session/session-worker.ts' : './session-worker.js', import.meta.url);
let dispatcher: Dispatcher | undefined;
let payloadBytes = 0;

let device: OnDevice | null = null;
const readMemory = memoryReader(() => device);
const freeMemory = async (): Promise<number> => (await readMemory()).freeBytes;

type Loaded = Extract<SessionReply, { kind: 'loaded' }>;

const begin = async ({ info, input, msPerSample }: Loaded, request: LoadRequest, lanes: Lanes<Running>) => {
  const { maxQueue, batch: setting, maxDelayMs, limits } = request;
  payloadBytes = bytesPerPhoto(info.adapter.views);
  device = info.device;
  const { reply } = port;
  const batching = { maxQueue, setting, maxDelayMs, limits, freeMemory };
  const begun = createDispatcher({ info, input, msPerSample, lanes, ...batching, reply, faultAt });
  dispatcher = begun;
  await begun.chooseBatch();
  setInterval(begun.chooseBatch, memoryEveryMs);
  reply(begun.heartbeat());
  setInterval(() => reply(begun.heartbeat()), heartbeatMs);
  reply({ kind: 'loaded', info });
};

const load = async (request: LoadRequest): Promise<void> => {
  const { packDir, device, deviceIndex, precision, inputSize, choices, graphCache, threads, socket, token } = request;
  const listening = listenForPixels({
    path: socket,
    token,
    payloadBytes: () => payloadBytes,
    onPixels: (pixels) => dispatcher?.takeIn(pixels),
  }).then(() => port.reply({ kind: 'listening', pid: process.pid }));
  const lanes = openLanes<Running>(
    workerEntry,
    { kind: 'load', packDir, device, deviceIndex, precision, inputSize, choices, graphCache, threads },
    {
      first: async (reply) => {
        if (reply.kind === 'load_failed') return port.reply(reply);
        await listening;
        await begin(reply, request, lanes);
      },
      joined: () => dispatcher?.pump(),
      ran: (lane, reply) => dispatcher?.finish(lane, reply),
    },
  );
  await listening;
};

port.onRequest(async (request) => {
  switch (request.kind) {
    case 'load':
      return load(request.request);
    case 'batch':
      return dispatcher?.set(request.batch, request.maxDelayMs, request.limits);
    case 'cancel':
      return dispatcher?.cancel(new Set(request.jobs));
    case 'stop':
      process.exit(0);
  }
});
