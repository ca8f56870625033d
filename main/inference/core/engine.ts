/**
 * The engine: photos in, evidence out. It joins the image hosts and the inference host, bounds what is under way, and
 * answers in time, so that every call settles and every photo that is not to blame is judged.
 */
import { availableParallelism } from 'node:os';
import type { Operation } from '../../contract/operation.ts';
import type { FileIdentity } from '../../contract/photo.ts';
import { interactiveMsOn } from '../../contract/settings.ts';
import { createGate } from '../../hosts/gate.ts';
import { HostUnavailable } from '../../hosts/supervisor.ts';
import { type ImagePool, startImagePool } from '../../images/core/pool.ts';
import type { Delivery, ImageHostConfig } from '../../images/protocol.ts';
import { openPhotoWay } from './encode-photo.ts';
import { createTally, residentBytes } from './engine-tally.ts';
import type {
  Encoded,
  EncodeOptions,
  EncodeResult,
  Engine,
  EngineEvent,
  EngineOptions,
  EngineStats,
  OpenPhoto,
} from './engine-types.ts';
import { watchHostMemory } from './host-memory.ts';
import { openInferenceLine, timesOf } from './inference-line.ts';
import { openLadder } from './ladder-actions.ts';
import { openOverdue } from './late-results.ts';
import { notDone, outcomeOf, quarantine, unlessEnded } from './outcomes.ts';

/** Batches under way besides those that run: one waits, one is being decoded. */
const batchesAhead = 2;
const interactiveAtOnce = 32;
const interactiveWaiting = 256;
const batchBeforeLoaded = 4;
/** The host itself tells of a photo that is late; this is for one that it does not have yet. */
const graceMs = 100;

const encodeAll: Operation = { kind: 'encode', parts: [] };

type Limits = Readonly<{ askedAt: number; deadlineAt: number | null }>;

/** Says of a photo that missed its own limit which one that was. */
const withLimit = <R extends EncodeResult>(result: R, { askedAt, deadlineAt }: Limits): R =>
  !result.ok && result.kind === 'not_done' && result.code === 'timed_out' && deadlineAt !== null
    ? { ...result, limitMs: deadlineAt - askedAt }
    : result;

/** Aborts with the caller's signal, and once the time limit has passed. */
const inTime = (deadlineAt: number | null, signal: AbortSignal | undefined): AbortSignal | undefined => {
  if (deadlineAt === null) return signal;
  const limit = AbortSignal.timeout(Math.max(0, deadlineAt + graceMs - Date.now()));
  return signal ? AbortSignal.any([signal, limit]) : limit;
};

export const startEngine = async (options: EngineOptions): Promise<Engine> => {
  const tell = (event: EngineEvent): void => options.onEvent?.(event);
  const hosts = options.imageHosts || Math.max(1, availableParallelism() - 1);
  const tally = createTally();
  const overdue = openOverdue();
  let nextJob = 1;
  const newJob = (): number => {
    nextJob += 1;
    return nextJob;
  };

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
      if (event.kind === 'host_down') overdue.lost(event.how);
      if (event.kind === 'not_finite') ladder.walk.note({ kind: 'not_finite' });
      tell(event);
      bulkGate.widen();
    },
    (info, pixels) => {
      config = { ...config, views: info.adapter.views, pixels };
      pool.configure(config);
    },
    overdue.arrived,
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

  const ladder = openLadder(options, inference, tell);

  const hostsNow = (): EngineStats['hosts'] => {
    const image = pool.hosts().map((host) => ({ kind: 'image' as const, ...host, rssBytes: residentBytes(host.pid) }));
    const main = { kind: 'inference' as const, pid: inference.pid(), restarts: inference.restarts() };
    return [{ ...main, rssBytes: residentBytes(main.pid) ?? inference.heartbeat()?.rssBytes ?? null }, ...image];
  };
  const unwatchMemory = watchHostMemory(
    options.hostMemoryMb ?? 0,
    () =>
      hostsNow().map((host) => ({
        ...host,
        replace: () => (host.kind === 'inference' ? ladder.renew() : pool.replace(host.pid)),
      })),
    tell,
    options.hostMemoryTimes,
  );

  const encodeOpened = openPhotoWay({
    ...{ pool, inference, ladder, tally, overdue, newJob, tell },
    relink: () => pool.configure(config),
    bulkMs: () => limits.bulkMs,
  });

  /** An interactive photo has a time limit unless told otherwise. */
  const limitsOf = ({ priority, deadlineAt }: Pick<EncodeOptions, 'priority' | 'deadlineAt'>): Limits => {
    const askedAt = Date.now();
    const usual = priority === 'interactive' ? askedAt + interactiveMsOn(inference.info()!.device.used, limits) : null;
    return { askedAt, deadlineAt: deadlineAt === undefined ? usual : deadlineAt };
  };

  const identify: Engine['identify'] = async (path, { priority = 'bulk', deadlineAt, signal } = {}) => {
    const interactive = priority === 'interactive';
    const gate = interactive ? interactiveGate : bulkGate;
    if (interactive && gate.waiting() >= interactiveWaiting)
      return notDone('queue_full', `${gate.waiting()} wait already`);
    const limited = limitsOf({ priority, ...(deadlineAt !== undefined && { deadlineAt }) });
    const until = inTime(limited.deadlineAt, signal);
    const job = newJob();
    let leave: () => void = () => undefined;
    const drop = () => {
      pool.release(job);
      leave();
    };
    try {
      leave = await gate.enter({ ...(until && { signal: until }) });
      const identified = await unlessEnded(pool.identify(job, path, interactive), until, drop);
      if (!identified.ok) {
        if ('kind' in identified) return withLimit(identified, limited);
        leave();
        return quarantine(identified);
      }
      return open(path, identified.identity, priority, limited, job, leave);
    } catch (error) {
      drop();
      return withLimit(outcomeOf(error, until), limited);
    }
  };

  const open = (
    path: string,
    identity: FileIdentity,
    priority: Delivery['priority'],
    limited: Limits,
    job: number,
    leave: () => void,
  ): OpenPhoto => ({
    ok: true,
    identity,
    async encode({ priority: asked = priority, client = '', deadlineAt, operation = encodeAll, signal } = {}) {
      const again = { priority: asked, ...(deadlineAt !== undefined && { deadlineAt }) };
      const own = asked === priority && deadlineAt === undefined ? limited : limitsOf(again);
      const delivery: Delivery = { priority: asked, client, deadlineAt: own.deadlineAt, operation };
      const until = inTime(own.deadlineAt, signal);
      const work = encodeOpened({ path, identity, delivery, signal: until, startedAt: Date.now() }, job).finally(leave);
      // The caller is answered at once; what is under way ends by itself, and its result is not thrown away.
      const result = await unlessEnded(work, until, (late) => {
        if (late?.ok) tell({ kind: 'late', path, result: late satisfies Encoded });
      });
      return withLimit(result, own);
    },
    release() {
      pool.release(job);
      leave();
    },
  });

  return {
    info: () => {
      const info = inference.info();
      if (!info) throw new Error('the engine was not loaded');
      return info;
    },
    identify,
    async encode(path, { priority = 'bulk', ...rest }: EncodeOptions = {}) {
      const { signal, deadlineAt } = rest;
      const opened = await identify(path, {
        priority,
        ...(signal && { signal }),
        ...(deadlineAt !== undefined && { deadlineAt }),
      });
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
        hosts: hostsNow(),
      };
    },
    async stop() {
      const stopped = new HostUnavailable('the engine was stopped', true);
      bulkGate.close(stopped);
      interactiveGate.close(stopped);
      ladder.admission.close(stopped);
      ladder.close();
      unwatchMemory();
      await Promise.all([inference.stop(), pool.stop()]);
    },
  };
};
