/**
 * The core's line to the inference host: keeps the host alive, knows what it was loaded with, and settles every job
 * that is awaited from it, with its reply or with `HostLost`.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Precision } from '../../contract/labels.ts';
import type { LadderSettings } from '../../contract/settings.ts';
import { priorityVariable } from '../../hosts/host-port.ts';
import { type HostEnd, HostLost } from '../../hosts/isolation.ts';
import { newSocketPath } from '../../hosts/runtime-dir.ts';
import { type HostUnavailable, type RunningHost, supervise } from '../../hosts/supervisor.ts';
import type { PixelAddress } from '../../images/protocol.ts';
import { inputSizes } from '../../packs/input-size.ts';
import type { BatchSetting, BatchTimes, Heartbeat, InferenceReply, InferenceRequest, LoadedInfo } from '../protocol.ts';
import type { EngineEvent, EngineOptions } from './engine-types.ts';
import { EngineUnavailable } from './engine-types.ts';
import type { EngineTraits } from './ladder-state.ts';

export type JobReply = Extract<InferenceReply, { kind: 'encoded' | 'judged' | 'answered' | 'failed' }>;

type Awaited = Readonly<{
  reply: Promise<JobReply>;
  /** Never resolves; rejects with `HostLost` when the host goes first. */
  lost: Promise<never>;
  /** Call when the pixels have left for the host. */
  sent: () => void;
  /** Call when nobody waits any more. */
  forget: () => void;
}>;

type Place = Readonly<{ fallback: boolean; sizeSteps: number }>;

export type InferenceLine = Readonly<{
  up: () => Promise<RunningHost<InferenceRequest>>;
  /** Where the host that runs now takes in pixels. */
  address: () => PixelAddress;
  expect: (job: number) => Awaited;
  cancel: (job: number) => void;
  info: () => LoadedInfo | undefined;
  heartbeat: () => Heartbeat | undefined;
  setBatch: (batch: BatchSetting, maxDelayMs: number, limits: BatchTimes) => void;
  /** Divides what an automatic batch may hold; null: no bound but memory. */
  divideBatch: (divisor: number | null) => void;
  /** What an automatic batch may hold, if it is bounded. */
  cap: () => number | null;
  /** How the next host shall judge: on the CPU with the smallest weights or as was asked for, so many input sizes down. */
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

const maxQueue = 1024;
const readyTimeoutMs = 120_000;
const defaultSilenceMs = 10_000;
/** A batch that runs for so many times its limit hangs. */
const hangFactor = 2;
/** Pixels that the host has neither queued nor running so long after they were sent are lost. */
const lostAfterMs = 3000;

export const timesOf = ({ slaCpuMs, slaGpuMs, bulkMs }: LadderSettings): BatchTimes => ({ slaCpuMs, slaGpuMs, bulkMs });

/** V8's helpers, which collect garbage beside whoever makes it, would take the cores from the model: 3 to 4 % of its rate. */
const v8Flags = ['--single-threaded-gc'];

export const openInferenceLine = (
  options: EngineOptions,
  tell: (event: EngineEvent) => void,
  onUnexpected: (reply: JobReply) => void,
): InferenceLine => {
  const token = randomBytes(32).toString('hex');
  let batch: BatchSetting = options.batch ?? { mode: 'auto' };
  let maxDelayMs = options.maxDelayMs ?? 8;
  let socket = '';
  let info: LoadedInfo | undefined;
  let heartbeat: Heartbeat | undefined;
  let refusal: EngineUnavailable | undefined;
  let fellBack = 0;
  let downAt: number | null = null;
  let limits = timesOf(options.ladder);
  let cap: number | null = null;
  let wanted: Place = { fallback: false, sizeSteps: 0 };
  let place = wanted;
  /** The precision when nothing is wrong. */
  let usual: Precision | 'auto' = options.precision ?? 'auto';
  const { precisions } = options.pack.manifest;
  const sizes = inputSizes(options.pack.manifest, options.inputSize ?? 'auto');
  const smallest = precisions.includes('int8') ? 'int8' : 'auto';
  const effective = (): BatchSetting =>
    batch.mode === 'auto' && cap !== null ? { mode: 'auto', ceiling: cap } : batch;
  const sendBatch = () => supervisor.running()?.post({ kind: 'batch', batch: effective(), maxDelayMs, limits });
  type Waiting = { resolve: (reply: JobReply) => void; lose: (how: HostEnd) => void; sentAt: number };
  const waiting = new Map<number, Waiting>();

  const onHeartbeat = (beat: Heartbeat) => {
    heartbeat = beat;
    tell({ kind: 'heartbeat', heartbeat: beat });
    if (beat.fellBack > fellBack) tell({ kind: 'not_finite', photos: beat.fellBack - fellBack });
    fellBack = beat.fellBack;
    if (beat.queued > 0 || beat.running > 0) return;
    for (const { lose, sentAt } of waiting.values()) if (Date.now() - sentAt > lostAfterMs) lose('recycled');
  };

  const supervisor = supervise<InferenceRequest, InferenceReply>({
    spawn: options.spawn,
    entry: options.entry,
    name: 'inference host',
    v8Flags,
    env: { [priorityVariable]: options.priority ?? 'normal' },
    first: () => {
      socket = newSocketPath(options.runtimeDir);
      place = wanted;
      const { fallback, sizeSteps } = place;
      return {
        kind: 'load',
        request: {
          packDir: options.pack.dir,
          device: fallback ? 'cpu' : (options.device ?? 'auto'),
          deviceIndex: options.deviceIndex ?? 0,
          precision: fallback ? smallest : (options.precision ?? 'auto'),
          inputSize: sizes[sizeSteps]!,
          choices: options.choices ?? {},
          graphCache: options.graphCache ?? null,
          threads: options.threads ?? 0,
          batch: effective(),
          maxDelayMs,
          limits,
          maxQueue,
          socket,
          token,
        },
      };
    },
    isReady: (reply) => reply.kind === 'loaded',
    refusal: (reply) => {
      if (reply.kind !== 'load_failed') return undefined;
      refusal = new EngineUnavailable(reply.code, reply.detail);
      return reply.detail;
    },
    readyTimeoutMs,
    silenceMs: options.silenceMs ?? defaultSilenceMs,
    isStuck: (reply) => reply.kind === 'heartbeat' && reply.runningMs > hangFactor * reply.limitMs,
    stopRequest: { kind: 'stop' },
    ...(options.backOff && { backOff: options.backOff }),
    onReply(reply, generation) {
      if (reply.kind === 'heartbeat') onHeartbeat(reply);
      else if (reply.kind === 'loaded') {
        info = reply.info;
        fellBack = 0;
        if (!place.fallback) usual = info.precision;
        tell({ kind: 'inference_up', info, restarts: generation - 1, downMs: downAt && Date.now() - downAt });
        downAt = null;
      } else if ('job' in reply) {
        const awaited = waiting.get(reply.job);
        if (awaited) awaited.resolve(reply);
        else onUnexpected(reply);
      }
    },
    onDown({ how, stderr }) {
      downAt ??= Date.now();
      for (const { lose } of waiting.values()) lose(how);
      waiting.clear();
      if (process.platform !== 'win32') rmSync(socket, { force: true });
      tell({ kind: 'host_down', host: 'inference', how, stderr });
    },
  });

  return {
    up: supervisor.up,
    address: () => ({ socket, token }),
    expect(job) {
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
    },
    cancel: (job) => supervisor.running()?.post({ kind: 'cancel', jobs: [job] }),
    info: () => info,
    heartbeat: () => heartbeat,
    setBatch(next, delay, times) {
      batch = next;
      maxDelayMs = delay;
      limits = times;
      sendBatch();
    },
    divideBatch(divisor) {
      cap = divisor === null ? null : Math.max(1, Math.floor((cap ?? heartbeat?.batch ?? 1) / divisor));
      sendBatch();
    },
    cap: () => (batch.mode === 'auto' ? cap : null),
    place(change) {
      wanted = { ...wanted, ...change };
    },
    placed: () => {
      const asWanted = place.fallback === wanted.fallback && place.sizeSteps === wanted.sizeSteps;
      const otherWeights = place.fallback && info !== undefined && info.precision !== usual;
      return { ...place, asWanted, reduced: otherWeights ? 'weights' : place.sizeSteps > 0 ? 'input' : null };
    },
    smallerSizes: sizes.length - 1,
    recycle: () => supervisor.end('recycled'),
    stop: () => supervisor.stop(),
    pid: supervisor.pid,
    restarts: supervisor.restarts,
    unavailable: (error) => refusal ?? new EngineUnavailable('host_failed', error.message),
  };
};
