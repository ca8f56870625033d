/**
 * The engine: photos in, evidence out. It joins the image hosts and the inference host, bounds what is under way, and
 * applies the crash rule, so that every call settles and every photo that is not to blame is judged.
 */
import { availableParallelism } from 'node:os';
import type { DecodedInfo, FileIdentity } from '../contract/photo.ts';
import { type ImagePool, startImagePool } from '../images/pool.ts';
import type { Delivery, Failure, ImageHostConfig } from '../images/protocol.ts';
import { openLadder } from './engine-ladder.ts';
import { createTally, residentBytes } from './engine-tally.ts';
import type {
  Encoded,
  EncodeOptions,
  EncodeResult,
  Engine,
  EngineEvent,
  EngineOptions,
  NotDone,
  NotJudgeable,
  OpenPhoto,
} from './engine-types.ts';
import { createGate } from './gate.ts';
import { type JobReply, openInferenceLine, timesOf } from './inference-line.ts';
import { createIsolation, type HostEnd, HostLost, KilledFromOutside, KillsHost, TooManyTries } from './isolation.ts';
import type { InferenceRequest } from './protocol.ts';
import { HostUnavailable, type Line } from './supervisor.ts';

/** Batches under way besides those that run: one waits, one is being decoded. */
const batchesAhead = 2;
const interactiveAtOnce = 32;
const interactiveWaiting = 256;
const batchBeforeLoaded = 4;
/** A broken line usually means that the host is going; its end tells why. */
const linkGraceMs = 2000;

const quarantine = ({ reason, retryable }: Omit<Failure, 'ok'>): NotJudgeable => ({
  ok: false,
  kind: 'quarantine',
  reason,
  retryable,
});
const notDone = (code: NotDone['code'], detail = ''): NotDone => ({ ok: false, kind: 'not_done', code, detail });
const inferenceFailed = (error: string): NotJudgeable =>
  quarantine({ reason: { code: 'inference_failed', params: { error } }, retryable: true });

/** Errors that stand for an outcome; anything else is a defect and is thrown on. */
const outcomeOf = (error: unknown, signal?: AbortSignal): NotJudgeable | NotDone => {
  if (error instanceof KillsHost) {
    return quarantine({
      reason: { code: 'kills_host', params: { host: 'inference', times: error.times } },
      retryable: false,
    });
  }
  if (error instanceof KilledFromOutside) return notDone('host_killed', error.message);
  if (error instanceof TooManyTries) return inferenceFailed(error.message);
  if (error instanceof HostUnavailable) return notDone(error.stopped ? 'stopped' : 'engine_down', error.message);
  if (signal?.aborted) return notDone('cancelled');
  throw error;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const startEngine = async (options: EngineOptions): Promise<Engine> => {
  const tell = (event: EngineEvent): void => options.onEvent?.(event);
  const hosts = options.imageHosts || Math.max(1, availableParallelism() - 1);
  const tally = createTally();
  const isolation = createIsolation();
  let nextJob = 1;
  const newJob = (): number => {
    nextJob += 1;
    return nextJob;
  };

  /** Photos whose callers were told that they are not done, but whose results may still come. */
  type Overdue = Readonly<{ arrived: (reply: JobReply) => void; lost: (how: HostEnd) => void }>;
  const overdue = new Map<number, Overdue>();
  const maxOverdue = 1024;

  let config: ImageHostConfig = {
    views: [],
    pixels: null,
    limits: options.limits,
    prescreen: options.prescreen ?? null,
  };
  const pool: ImagePool = startImagePool({
    spawn: options.spawnImage ?? options.spawn,
    entry: options.entries.imageHost,
    size: hosts,
    config,
    ...(options.backOff && { backOff: options.backOff }),
    ...(options.priority && { priority: options.priority }),
    onExit: ({ how, stderr }) => tell({ kind: 'host_down', host: 'image', how, stderr }),
  });

  const inference = openInferenceLine(
    options,
    (event) => {
      if (event.kind === 'host_down') {
        for (const { lost } of overdue.values()) lost(event.how);
        overdue.clear();
      }
      if (event.kind === 'not_finite') ladder.walk.note({ kind: 'not_finite' });
      tell(event);
      bulkGate.widen();
    },
    (info, pixels) => {
      config = { ...config, views: info.adapter.views, pixels };
      pool.configure(config);
    },
    (reply) => {
      overdue.get(reply.job)?.arrived(reply);
      overdue.delete(reply.job);
    },
  );

  let batch = options.batch ?? { mode: 'auto' as const };
  let maxDelayMs = options.maxDelayMs ?? 8;
  let { ladder: limits } = options;
  const batchNow = (): number =>
    batch.mode === 'fixed' ? batch.size : (inference.heartbeat()?.batch ?? batchBeforeLoaded);
  const bulkGate = createGate(() => ((inference.info()?.lanes ?? 1) + batchesAhead) * batchNow() + 2 * hosts);
  const interactiveGate = createGate(() => interactiveAtOnce);

  try {
    await inference.up();
  } catch (error) {
    await pool.stop();
    await inference.stop();
    throw error instanceof HostUnavailable ? inference.unavailable(error) : error;
  }

  const ladder = openLadder(options, inference, pool, tell);

  const interactiveDeadline = (): number =>
    Date.now() + (inference.info()?.device.used === 'cpu' ? limits.interactiveCpuMs : limits.interactiveGpuMs);

  type Asked = Readonly<{
    path: string;
    identity: FileIdentity;
    delivery: Delivery;
    signal: AbortSignal | undefined;
    startedAt: number;
  }>;

  const madeBy = () => {
    const { device, precision, inputSize } = inference.info()!;
    return { device: device.used, precision, inputSize, degraded: ladder.degraded() };
  };

  const finishWith =
    ({ identity, startedAt, delivery }: Asked, info: DecodedInfo, generation: number) =>
    (reply: JobReply): EncodeResult => {
      if (reply.kind === 'failed') {
        if (reply.code === 'out_of_memory' || reply.code === 'device_lost') throw ladder.lost(generation, reply.code);
        if (reply.code === 'timed_out') ladder.walk.note({ kind: 'timed_out' });
        if (reply.code === 'run_failed' || reply.code === 'not_finite') {
          return inferenceFailed(`${reply.code}: ${reply.detail}`);
        }
        return notDone(reply.code, reply.detail);
      }
      if (!reply.late) ladder.walk.note({ kind: 'in_time' });
      const { queueMs, runMs, batch: size } = reply.timing;
      const totalMs = Date.now() - startedAt;
      const { read, decode, prescreen, views } = info.timingMs;
      const worked = read + decode + prescreen + views + runMs;
      tally.add({ batch: size, runMs, latencyMs: delivery.priority === 'interactive' ? totalMs : worked });
      return {
        ok: true,
        identity,
        info,
        flat: false,
        evidence: reply.kind === 'encoded' ? reply.evidence : null,
        judgements: reply.kind === 'judged' ? reply.judgements : null,
        ...madeBy(),
        precision: reply.precision,
        timing: { queueMs, runMs, batch: size, totalMs },
      };
    };

  /** The result of a job that missed its time limit; rejects when its host goes first. */
  const arrival = (job: number): Promise<JobReply> =>
    new Promise((arrived, reject) => overdue.set(job, { arrived, lost: (how) => reject(new HostLost(how)) }));

  /** One try: throws `HostLost` when the inference host goes while the photo is in it. */
  const tryOnce = async (asked: Asked, job: number): Promise<EncodeResult> => {
    const { delivery, signal } = asked;
    const urgent = delivery.priority === 'interactive';
    const leave = await ladder.admission.enter({ urgent, ...(signal && { signal }) }).catch((error) => {
      pool.release(job);
      throw error;
    });
    try {
      // It waited out a pause. Had it gone on, it would have missed its limit and made the next pause longer.
      if (delivery.deadlineAt !== null && delivery.deadlineAt <= Date.now()) {
        pool.release(job);
        return notDone('timed_out', 'while waiting');
      }
      const line = await inference.up();
      signal?.throwIfAborted();
      return await tryOn(line, asked, job);
    } finally {
      leave();
    }
  };

  const tryOn = async (line: Line<InferenceRequest>, asked: Asked, job: number): Promise<EncodeResult> => {
    const { path, identity, delivery, signal } = asked;
    const awaited = inference.expect(job);
    const cancel = () => inference.cancel(job);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const prepared = await Promise.race([pool.prepare(job, delivery), awaited.lost]);
      if (!prepared.ok) {
        if (prepared.reason.code !== 'inference_failed' || !prepared.retryable) return quarantine(prepared);
        await Promise.race([pause(linkGraceMs), awaited.lost]);
        pool.configure(config);
        throw new HostLost('recycled');
      }
      const { info } = prepared;
      if (!prepared.sent) {
        if (!info.prescreen?.flat) throw new HostLost('recycled');
        const timing = { queueMs: 0, runMs: 0, batch: 0, totalMs: Date.now() - asked.startedAt };
        return { ok: true, identity, info, flat: true, evidence: null, judgements: null, ...madeBy(), timing };
      }
      awaited.sent();
      const finish = finishWith(asked, info, line.generation);
      const reply = await awaited.reply;
      const result = finish(reply);
      if (reply.kind !== 'failed' || reply.code !== 'timed_out' || overdue.size >= maxOverdue) return result;
      awaited.forget();
      // A retry is late anyway: it takes as long as it takes, so that a photo that hangs its host is found out.
      if (delivery.priority === 'retry') return finish(await arrival(job));
      const late = arrival(job).then(
        (arrived) => {
          const encoded = arrived.kind === 'failed' ? null : finish(arrived);
          if (!encoded?.ok) return null;
          tell({ kind: 'late', path, result: encoded });
          return encoded;
        },
        () => null,
      );
      const putOff = { identity, info, limitMs: reply.limitMs ?? limits.bulkMs, late };
      return { ...notDone('timed_out', reply.detail), putOff };
    } finally {
      awaited.forget();
      signal?.removeEventListener('abort', cancel);
    }
  };

  /** Tries until there is an outcome. The first try uses the job that identified the photo, each other a new one. */
  const encodeOpened = async (asked: Asked, firstJob: number): Promise<EncodeResult> => {
    let job: number | undefined = firstJob;
    try {
      return await isolation.run(async () => {
        asked.signal?.throwIfAborted();
        if (job === undefined) {
          job = newJob();
          const again = await pool.identify(job, asked.path, asked.delivery.priority === 'interactive');
          if (!again.ok) return quarantine(again);
          if (again.identity.fileHash !== asked.identity.fileHash) {
            pool.release(job);
            return quarantine({ reason: { code: 'still_changing', params: {} }, retryable: true });
          }
        }
        const current = job;
        job = undefined;
        return tryOnce(asked, current);
      });
    } catch (error) {
      return outcomeOf(error, asked.signal);
    } finally {
      if (job !== undefined) pool.release(job);
    }
  };

  const identify: Engine['identify'] = async (path, { priority = 'bulk', signal } = {}) => {
    const interactive = priority === 'interactive';
    const gate = interactive ? interactiveGate : bulkGate;
    if (interactive && gate.waiting() >= interactiveWaiting)
      return notDone('queue_full', `${gate.waiting()} wait already`);
    let leave: (() => void) | undefined;
    const job = newJob();
    try {
      leave = await gate.enter({ ...(signal && { signal }) });
      const identified = await pool.identify(job, path, interactive);
      if (!identified.ok) {
        leave();
        return quarantine(identified);
      }
      signal?.throwIfAborted();
      return open(path, identified.identity, priority, job, leave);
    } catch (error) {
      pool.release(job);
      leave?.();
      return outcomeOf(error, signal);
    }
  };

  const open = (
    path: string,
    identity: FileIdentity,
    priority: Delivery['priority'],
    job: number,
    leave: () => void,
  ): OpenPhoto => ({
    ok: true,
    identity,
    encode({ priority: asked = priority, client = '', deadlineAt, parts = [], signal } = {}) {
      const limit = deadlineAt === undefined && asked === 'interactive' ? interactiveDeadline() : (deadlineAt ?? null);
      const delivery: Delivery = { priority: asked, client, deadlineAt: limit, parts };
      const work = encodeOpened({ path, identity, delivery, signal, startedAt: Date.now() }, job).finally(leave);
      return signal ? orAborted(work, path, signal) : work;
    },
    release() {
      pool.release(job);
      leave();
    },
  });

  /** The caller is answered at once; what is under way ends by itself, and its result is not thrown away. */
  const orAborted = (work: Promise<EncodeResult>, path: string, signal: AbortSignal): Promise<EncodeResult> =>
    new Promise((resolve, reject) => {
      let answered = false;
      const abort = () => {
        answered = true;
        resolve(notDone('cancelled'));
      };
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      work
        .then((result) => {
          if (answered && result.ok) tell({ kind: 'late', path, result: result satisfies Encoded });
          resolve(result);
        }, reject)
        .finally(() => signal.removeEventListener('abort', abort));
    });

  return {
    info: () => {
      const info = inference.info();
      if (!info) throw new Error('the engine was not loaded');
      return info;
    },
    identify,
    async encode(path, { priority = 'bulk', ...rest }: EncodeOptions = {}) {
      const { signal } = rest;
      const opened = await identify(path, { priority, ...(signal && { signal }) });
      return opened.ok ? opened.encode(rest) : opened;
    },
    async preview(path, size, out) {
      try {
        return await pool.preview(path, size, out);
      } catch (error) {
        return outcomeOf(error);
      }
    },
    setBatch(next, delay = maxDelayMs) {
      batch = next;
      maxDelayMs = delay;
      inference.setBatch(batch, maxDelayMs, timesOf(limits));
      bulkGate.widen();
    },
    setLadder(next) {
      limits = next;
      inference.setBatch(batch, maxDelayMs, timesOf(limits));
      ladder.set(next);
    },
    stats: () => {
      const beat = inference.heartbeat();
      const image = pool
        .hosts()
        .map((host) => ({ kind: 'image' as const, ...host, rssBytes: residentBytes(host.pid) }));
      const main = { kind: 'inference' as const, pid: inference.pid(), restarts: inference.restarts() };
      return {
        ...tally.totals(),
        gapMs: beat?.gapMs ?? 0,
        batch: batchNow(),
        advice: beat?.advice ?? null,
        degradation: ladder.walk.now(),
        pastDegradation: ladder.walk.past(),
        queued: beat?.queued ?? 0,
        running: beat?.running ?? 0,
        inEngine: bulkGate.inside() + interactiveGate.inside(),
        hosts: [{ ...main, rssBytes: residentBytes(main.pid) ?? beat?.rssBytes ?? null }, ...image],
      };
    },
    async stop() {
      const stopped = new HostUnavailable('the engine was stopped', true);
      bulkGate.close(stopped);
      interactiveGate.close(stopped);
      ladder.admission.close(stopped);
      ladder.close();
      await Promise.all([inference.stop(), pool.stop()]);
    },
  };
};
