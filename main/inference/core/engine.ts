/**
 * The engine: photos in, evidence out. It joins the image hosts and the inference host, bounds what is under way, and
 * answers in time, so that every call settles and every photo that is not to blame is judged.
 */
import type { Operation } from '../../contract/operation.ts';
import type { FileIdentity } from '../../contract/photo.ts';
import { interactiveMsOn } from '../../contract/settings.ts';
import { createGate } from '../../hosts/gate.ts';
import type { HostFigures } from '../../hosts/host-events.ts';
import { residentBytes, watchHostMemory } from '../../hosts/host-memory.ts';
import { HostUnavailable } from '../../hosts/supervisor.ts';
import type { Delivery } from '../../images/protocol.ts';
import { openPhotoWay } from './encode-photo.ts';
import { createTally } from './engine-tally.ts';
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
  const { images, priority = 'normal', hostMemoryMb = 0 } = options;
  const giveBack = images.claim({ priority, hostMemoryMb });
  const tally = createTally();
  const overdue = openOverdue();

  const inference = openInferenceLine(
    options,
    (event) => {
      if (event.kind === 'host_down') overdue.lost(event.how);
      if (event.kind === 'not_finite') ladder.walk.note({ kind: 'not_finite' });
      tell(event);
      bulkGate.widen();
    },
    overdue.arrived,
  );

  let batch = options.batch ?? { mode: 'auto' as const };
  let maxDelayMs = options.maxDelayMs ?? 8;
  let { ladder: limits } = options;
  const batchNow = (): number =>
    batch.mode === 'fixed' ? batch.size : (inference.heartbeat()?.batch ?? batchBeforeLoaded);
  const bulkGate = createGate(() => ((inference.info()?.lanes ?? 1) + batchesAhead) * batchNow() + 2 * images.size);
  const interactiveGate = createGate(() => interactiveAtOnce);

  try {
    await inference.up();
  } catch (error) {
    await Promise.all([giveBack(), inference.stop()]);
    throw error instanceof HostUnavailable ? inference.unavailable(error) : error;
  }

  const ladder = openLadder(options, inference, tell);

  const inferenceHost = (): HostFigures => {
    const pid = inference.pid();
    const rssBytes = residentBytes(pid) ?? inference.heartbeat()?.rssBytes ?? null;
    return { pid, restarts: inference.restarts(), rssBytes };
  };
  const hostsNow = (): EngineStats['hosts'] => [
    { kind: 'inference', ...inferenceHost() },
    ...images.hosts().map((host) => ({ kind: 'image' as const, ...host })),
  ];
  const unwatchMemory = watchHostMemory({
    kind: 'inference',
    ceilingMb: () => hostMemoryMb,
    hosts: () => [{ ...inferenceHost(), replace: ladder.renew }],
    tell,
    ...(options.hostMemoryTimes && { times: options.hostMemoryTimes }),
  });

  const encodeOpened = openPhotoWay({
    ...{ images, inference, ladder, tally, overdue, tell },
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
    const job = images.newJob();
    let leave: () => void = () => undefined;
    const drop = () => {
      images.release(job);
      leave();
    };
    try {
      leave = await gate.enter({ ...(until && { signal: until }) });
      const identified = await unlessEnded(images.identify(job, path, priority), until, drop);
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
    async encode({
      priority: asked = priority,
      client = '',
      deadlineAt,
      operation = encodeAll,
      prescreen = options.prescreen ?? null,
      signal,
    } = {}) {
      const again = { priority: asked, ...(deadlineAt !== undefined && { deadlineAt }) };
      const own = asked === priority && deadlineAt === undefined ? limited : limitsOf(again);
      const delivery: Delivery = { priority: asked, client, deadlineAt: own.deadlineAt, operation };
      const until = inTime(own.deadlineAt, signal);
      const work = encodeOpened(
        { path, identity, delivery, prescreen, signal: until, startedAt: Date.now() },
        job,
      ).finally(leave);
      // The caller is answered at once; what is under way ends by itself, and its result is not thrown away.
      const result = await unlessEnded(work, until, (late) => {
        if (late?.ok) tell({ kind: 'late', path, result: late satisfies Encoded });
      });
      return withLimit(result, own);
    },
    release() {
      images.release(job);
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
      await Promise.all([inference.stop(), giveBack()]);
    },
  };
};
