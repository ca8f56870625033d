/**
 * The engine: photos in, evidence out. It joins the image hosts and the inference host, bounds what is under way, and
 * applies the crash rule, so that every call settles and every photo that is not to blame is judged.
 */
import { availableParallelism } from 'node:os';
import type { DecodedInfo, FileIdentity } from '../contract/photo.ts';
import { type ImagePool, startImagePool } from '../images/pool.ts';
import type { Delivery, Failure, ImageHostConfig } from '../images/protocol.ts';
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
import { type JobReply, openInferenceLine } from './inference-line.ts';
import { createIsolation, HostLost, KillsHost, TooManyTries } from './isolation.ts';
import { HostUnavailable } from './supervisor.ts';

/** Batches under way besides those that run: one waits, one is being decoded. */
const batchesAhead = 2;
const interactiveAtOnce = 32;
const interactiveWaiting = 256;
/** Time limits of an interactive photo, all in all; ms. */
const interactiveLimitMs = { cpu: 5000, accelerated: 1200 };
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
  const overdue = new Map<number, Readonly<{ path: string; finish: (reply: JobReply) => EncodeResult }>>();
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
    onExit: ({ how, stderr }) => tell({ kind: 'host_down', host: 'image', how, stderr }),
  });

  const inference = openInferenceLine(
    options,
    (event) => {
      if (event.kind === 'host_down') overdue.clear();
      tell(event);
      bulkGate.widen();
    },
    (info, pixels) => {
      config = { ...config, views: info.adapter.views, pixels };
      pool.configure(config);
    },
    (reply) => {
      const late = overdue.get(reply.job);
      overdue.delete(reply.job);
      if (!late || reply.kind === 'failed') return;
      const result = late.finish(reply);
      if (result.ok) tell({ kind: 'late', path: late.path, result });
    },
  );

  let batch = options.batch ?? { mode: 'auto' as const };
  let maxDelayMs = options.maxDelayMs ?? 8;
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

  const interactiveDeadline = (): number =>
    Date.now() + (inference.info()?.device.used === 'cpu' ? interactiveLimitMs.cpu : interactiveLimitMs.accelerated);

  type Asked = Readonly<{
    path: string;
    identity: FileIdentity;
    delivery: Delivery;
    signal: AbortSignal | undefined;
    startedAt: number;
  }>;

  const finishWith =
    ({ identity, startedAt, delivery }: Asked, info: DecodedInfo, generation: number) =>
    (reply: JobReply): EncodeResult => {
      if (reply.kind === 'failed') {
        if (reply.code === 'out_of_memory') throw inference.outOfMemory(generation);
        if (reply.code === 'run_failed' || reply.code === 'not_finite') {
          return inferenceFailed(`${reply.code}: ${reply.detail}`);
        }
        return notDone(reply.code, reply.detail);
      }
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
        timing: { queueMs, runMs, batch: size, totalMs },
      };
    };

  /** One try: throws `HostLost` when the inference host goes while the photo is in it. */
  const tryOnce = async (asked: Asked, job: number): Promise<EncodeResult> => {
    const { path, identity, delivery, signal } = asked;
    const line = await inference.up();
    signal?.throwIfAborted();
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
        return { ok: true, identity, info, flat: true, evidence: null, judgements: null, timing };
      }
      awaited.sent();
      const finish = finishWith(asked, info, line.generation);
      const result = finish(await awaited.reply);
      if (!result.ok && result.kind === 'not_done' && result.code === 'timed_out' && overdue.size < maxOverdue) {
        overdue.set(job, { path, finish });
      }
      return result;
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
    encode({ client = '', deadlineAt, parts = [], signal } = {}) {
      const limit =
        deadlineAt === undefined && priority === 'interactive' ? interactiveDeadline() : (deadlineAt ?? null);
      const delivery: Delivery = { priority, client, deadlineAt: limit, parts };
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
      inference.setBatch(batch, maxDelayMs);
      bulkGate.widen();
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
      await Promise.all([inference.stop(), pool.stop()]);
    },
  };
};
