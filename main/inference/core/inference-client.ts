/**
 * The core's end of one inference host: keeps the host alive, knows what it was loaded with, and settles every job that
 * is awaited from it, with its reply or with `HostLost`.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Precision } from '../../contract/labels.ts';
import type { LadderSettings } from '../../contract/settings.ts';
import { priorityVariable } from '../../hosts/host-port.ts';
import { type HostEnd, HostLost } from '../../hosts/isolation.ts';
import { newSocketPath } from '../../hosts/runtime-dir.ts';
import { type HostUnavailable, type RunningHost, type Supervisor, supervise } from '../../hosts/supervisor.ts';
import type { PixelAddress } from '../../images/protocol.ts';
import { inputSizes } from '../../packs/input-size.ts';
import type {
  BatchSetting,
  BatchTimes,
  Heartbeat,
  InferenceReply,
  InferenceRequest,
  LoadedInfo,
  Totals,
} from '../protocol.ts';
import { addTotals, noTotals } from './engine-tally.ts';
import type { EngineEvent, EngineOptions, LineOptions } from './engine-types.ts';
import { EngineUnavailable } from './engine-types.ts';
import type { EngineTraits } from './ladder-state.ts';

export type JobReply = Extract<InferenceReply, { job: number }>;

type Awaited = Readonly<{
  reply: Promise<JobReply>;
  /** Never resolves; rejects with `HostLost` when the host goes first. */
  lost: Promise<never>;
  /** Call when the pixels have left for the host. */
  sent: () => void;
  /** Call when nobody waits any more. */
  forget: () => void;
}>;

/** Where the next host judges: on the CPU with the smallest weights or as was asked for, so many input sizes down. */
export type Place = Readonly<{ fallback: boolean; sizeSteps: number }>;

export type Batching = Readonly<{ batch: BatchSetting; maxDelayMs: number; limits: BatchTimes }>;

export type InferenceClient = Readonly<{
  up: () => Promise<RunningHost<InferenceRequest>>;
  /** The host now if it is ready. */
  ready: () => RunningHost<InferenceRequest> | undefined;
  /** Where the host that runs now takes in pixels. */
  address: () => PixelAddress;
  expect: (job: number) => Awaited;
  cancel: (job: number) => void;
  info: () => LoadedInfo | undefined;
  heartbeat: () => Heartbeat | undefined;
  /** Of all processes of the host; of those that ended, as of their last heartbeat. */
  totals: () => Totals;
  setBatching: (batching: Batching) => void;
  /** Divides what an automatic batch may hold; null: no bound but memory. */
  divideBatch: (divisor: number | null) => void;
  /** What an automatic batch may hold, if it is bounded. */
  cap: () => number | null;
  place: (change: Partial<Place>) => void;
  /** How the host that runs now judges, whether that is how the next one would, and what it does less well for it. */
  placed: () => Place & Readonly<{ asWanted: boolean; reduced: EngineTraits['reduced'] }>;
  /** How many input sizes there are to step down to. */
  smallerSizes: number;
  /** Ends the host; another one takes its place. */
  recycle: () => void;
  stop: () => Promise<void>;
  pid: () => number | undefined;
  restarts: () => number;
  /** Why it cannot be had, in the words of a failed start. */
  unavailable: (error: HostUnavailable) => EngineUnavailable;
}>;

export type ClientPorts = Readonly<{
  tell: (event: EngineEvent) => void;
  /** A reply that nobody waits for. */
  unexpected: (reply: JobReply) => void;
}>;

const maxQueue = 1024;
const readyTimeoutMs = 120_000;
const defaultSilenceMs = 10_000;
/** A batch that runs for so many times its limit hangs. */
const hangFactor = 2;
/** Pixels that the host has neither queued nor running so long after they were sent are lost. */
const lostAfterMs = 3000;

/** V8's helpers, which collect garbage beside whoever makes it, would take the cores from the model: 3 to 4 % of its rate. */
const v8Flags = ['--single-threaded-gc'];

export const timesOf = ({ slaCpuMs, slaGpuMs, bulkMs }: LadderSettings): BatchTimes => ({ slaCpuMs, slaGpuMs, bulkMs });

type Waiting = { resolve: (reply: JobReply) => void; lose: (how: HostEnd) => void; sentAt: number };

type State = {
  readonly options: EngineOptions;
  readonly line: LineOptions;
  readonly ports: ClientPorts;
  readonly sizes: readonly number[];
  readonly token: string;
  readonly waiting: Map<number, Waiting>;
  batching: Batching;
  /** What an automatic batch may hold; null: as much as memory allows. */
  cap: number | null;
  socket: string;
  info: LoadedInfo | undefined;
  heartbeat: Heartbeat | undefined;
  refusal: EngineUnavailable | undefined;
  /** Of the process that runs now, and of those before it. */
  totals: Totals;
  totalsBefore: Totals;
  downAt: number | null;
  wanted: Place;
  placed: Place;
  /** The precision when nothing is wrong. */
  usual: Precision | 'auto';
};

const batchOf = ({ batching: { batch }, cap }: State): BatchSetting =>
  batch.mode === 'auto' && cap !== null ? { mode: 'auto', ceiling: cap } : batch;

const sendBatching = (state: State, supervisor: Supervisor<InferenceRequest>): void => {
  const { maxDelayMs, limits } = state.batching;
  supervisor.running()?.post({ kind: 'batch', batch: batchOf(state), maxDelayMs, limits });
};

const loadRequest = (state: State): InferenceRequest => {
  const { options, line, sizes, socket, token, batching, placed } = state;
  const smallest = options.pack.manifest.precisions.includes('int8') ? 'int8' : 'auto';
  return {
    kind: 'load',
    request: {
      packDir: options.pack.dir,
      device: placed.fallback ? 'cpu' : line.device,
      deviceIndex: line.deviceIndex ?? 0,
      precision: placed.fallback ? smallest : (options.precision ?? 'auto'),
      inputSize: sizes[placed.sizeSteps]!,
      choices: options.choices ?? {},
      graphCache: options.graphCache ?? null,
      threads: options.threads ?? 0,
      batch: batchOf(state),
      maxDelayMs: batching.maxDelayMs,
      limits: batching.limits,
      maxQueue,
      socket,
      token,
    },
  };
};

/** Every process of the host has an address of its own. */
const beginLoad = (state: State): InferenceRequest => {
  state.socket = newSocketPath(state.options.runtimeDir);
  state.placed = state.wanted;
  return loadRequest(state);
};

const refusalOf = (state: State, reply: InferenceReply): string | undefined => {
  if (reply.kind !== 'load_failed') return undefined;
  state.refusal = new EngineUnavailable(reply.code, reply.detail);
  return reply.detail;
};

const onHeartbeat = (state: State, heartbeat: Heartbeat): void => {
  const { ports, waiting } = state;
  const fellBack = heartbeat.totals.fellBack - state.totals.fellBack;
  state.heartbeat = heartbeat;
  state.totals = heartbeat.totals;
  ports.tell({ kind: 'heartbeat', heartbeat });
  if (fellBack > 0) ports.tell({ kind: 'not_finite', photos: fellBack });
  if (heartbeat.queued > 0 || heartbeat.running > 0) return;
  for (const { lose, sentAt } of waiting.values()) if (Date.now() - sentAt > lostAfterMs) lose('recycled');
};

const onLoaded = (state: State, info: LoadedInfo, generation: number): void => {
  const { downAt, placed } = state;
  state.info = info;
  state.downAt = null;
  if (!placed.fallback) state.usual = info.precision;
  const downMs = downAt && Date.now() - downAt;
  state.ports.tell({ kind: 'inference_up', info, restarts: generation - 1, downMs });
};

const onReply = (state: State, reply: InferenceReply, generation: number): void => {
  if (reply.kind === 'heartbeat') onHeartbeat(state, reply);
  else if (reply.kind === 'loaded') onLoaded(state, reply.info, generation);
  else if ('job' in reply) {
    const awaited = state.waiting.get(reply.job);
    if (awaited) awaited.resolve(reply);
    else state.ports.unexpected(reply);
  }
};

const onDown = (state: State, how: HostEnd, stderr: string): void => {
  state.downAt ??= Date.now();
  state.totalsBefore = addTotals(state.totalsBefore, state.totals);
  state.totals = noTotals;
  for (const { lose } of state.waiting.values()) lose(how);
  state.waiting.clear();
  if (process.platform !== 'win32') rmSync(state.socket, { force: true });
  state.ports.tell({ kind: 'host_down', host: 'inference', how, stderr });
};

const expect = ({ waiting }: State, job: number): Awaited => {
  const entry: Waiting = { resolve: () => undefined, lose: () => undefined, sentAt: Number.POSITIVE_INFINITY };
  waiting.set(job, entry);
  const lost = new Promise<never>((_, reject) => {
    entry.lose = (how) => {
      waiting.delete(job);
      reject(new HostLost(how));
    };
  });
  const reply = Promise.race([
    lost,
    new Promise<JobReply>((resolve) => {
      entry.resolve = resolve;
    }),
  ]);
  reply.catch(() => undefined);
  return {
    reply,
    lost,
    sent: () => {
      entry.sentAt = Date.now();
    },
    forget: () => waiting.delete(job),
  };
};

const placedNow = ({ placed, wanted, info, usual }: State): ReturnType<InferenceClient['placed']> => {
  const asWanted = placed.fallback === wanted.fallback && placed.sizeSteps === wanted.sizeSteps;
  const otherWeights = placed.fallback && info !== undefined && info.precision !== usual;
  return { ...placed, asWanted, reduced: otherWeights ? 'weights' : placed.sizeSteps > 0 ? 'input' : null };
};

const divideBatch = (state: State, divisor: number | null): void => {
  const now = state.cap ?? state.heartbeat?.batch ?? 1;
  state.cap = divisor === null ? null : Math.max(1, Math.floor(now / divisor));
};

const superviseClient = (state: State, name: string): Supervisor<InferenceRequest> => {
  const { options } = state;
  return supervise<InferenceRequest, InferenceReply>({
    spawn: options.spawn,
    entry: options.entry,
    name,
    v8Flags,
    env: { [priorityVariable]: options.priority ?? 'normal' },
    first: () => beginLoad(state),
    isReady: (reply) => reply.kind === 'loaded',
    refusal: (reply) => refusalOf(state, reply),
    readyTimeoutMs,
    silenceMs: options.silenceMs ?? defaultSilenceMs,
    isStuck: (reply) => reply.kind === 'heartbeat' && reply.runningMs > hangFactor * reply.limitMs,
    stopRequest: { kind: 'stop' },
    ...(options.backOff && { backOff: options.backOff }),
    onReply: (reply, generation) => onReply(state, reply, generation),
    onDown: ({ how, stderr }) => onDown(state, how, stderr),
  });
};

export const openInferenceClient = (
  options: EngineOptions,
  line: LineOptions,
  name: string,
  batching: Batching,
  ports: ClientPorts,
): InferenceClient => {
  const place: Place = { fallback: false, sizeSteps: 0 };
  const state: State = {
    ...{ options, line, ports, batching },
    sizes: inputSizes(options.pack.manifest, options.inputSize ?? 'auto'),
    token: randomBytes(32).toString('hex'),
    waiting: new Map(),
    cap: null,
    socket: '',
    info: undefined,
    heartbeat: undefined,
    refusal: undefined,
    totals: noTotals,
    totalsBefore: noTotals,
    downAt: null,
    wanted: place,
    placed: place,
    usual: options.precision ?? 'auto',
  };
  const supervisor = superviseClient(state, name);
  return {
    up: supervisor.up,
    ready: supervisor.ready,
    address: () => ({ socket: state.socket, token: state.token }),
    expect: (job) => expect(state, job),
    cancel: (job) => supervisor.running()?.post({ kind: 'cancel', jobs: [job] }),
    info: () => state.info,
    heartbeat: () => state.heartbeat,
    totals: () => addTotals(state.totalsBefore, state.totals),
    setBatching(next) {
      state.batching = next;
      sendBatching(state, supervisor);
    },
    divideBatch(divisor) {
      divideBatch(state, divisor);
      sendBatching(state, supervisor);
    },
    cap: () => (state.batching.batch.mode === 'auto' ? state.cap : null),
    place(change) {
      state.wanted = { ...state.wanted, ...change };
    },
    placed: () => placedNow(state),
    smallerSizes: state.sizes.length - 1,
    recycle: () => supervisor.end('recycled'),
    stop: () => supervisor.stop(),
    pid: supervisor.pid,
    restarts: supervisor.restarts,
    unavailable: (error) => state.refusal ?? new EngineUnavailable('host_failed', error.message),
  };
};
