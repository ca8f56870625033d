/**
 * The engine: photos in, evidence out. It is a router over lines: photos are read by the image hosts of the core, wait
 * until a line has room, and are answered in time, so that every call settles and every photo that is not to blame is
 * judged.
 */
import type { Operation } from '../../contract/operation.ts';
import type { FileIdentity } from '../../contract/photo.ts';
import { interactiveMsOn, type LadderSettings } from '../../contract/settings.ts';
import { watchHostMemory } from '../../hosts/host-memory.ts';
import { HostUnavailable } from '../../hosts/supervisor.ts';
import type { ImagePool } from '../../images/core/pool.ts';
import type { Delivery } from '../../images/protocol.ts';
import type { LoadedInfo } from '../protocol.ts';
import { type Admission, openAdmission } from './admission.ts';
import { encodePhoto } from './encode-photo.ts';
import { statsOf } from './engine-stats.ts';
import { createLatencies, type Latencies } from './engine-tally.ts';
import type {
  EncodeOptions,
  EncodeResult,
  Engine,
  EngineEvent,
  EngineOptions,
  LineOptions,
  NotDone,
  NotJudgeable,
  OpenPhoto,
} from './engine-types.ts';
import { type Batching, timesOf } from './inference-client.ts';
import { type InferenceLine, openLine } from './line.ts';
import { notDone, outcomeOf, quarantine, unlessEnded } from './outcomes.ts';
import { createRouter, type Router } from './router.ts';
import { inTime, type TimeLimit, withLimit } from './time-limit.ts';

const encodeAll: Operation = { kind: 'encode', parts: [] };
const anyDevice: LineOptions = { device: 'auto' };

type State = {
  readonly options: EngineOptions;
  readonly images: ImagePool;
  readonly router: Router<InferenceLine>;
  readonly admission: Admission;
  readonly latencies: Latencies;
  readonly tell: (event: EngineEvent) => void;
  batching: Batching;
  ladder: LadderSettings;
};

/** A photo that has a place in the engine, and the job that identified it. */
type Admitted = Readonly<{
  path: string;
  identity: FileIdentity;
  priority: Delivery['priority'];
  limit: TimeLimit;
  job: number;
  leave: () => void;
}>;

/** Of the first line that was ever up. */
const infoOf = ({ router }: State): LoadedInfo => {
  const [info] = router.lines().flatMap(({ client }) => client.info() ?? []);
  if (!info) throw new Error('the engine was not loaded');
  return info;
};

/** An interactive photo has a time limit unless told otherwise. */
const limitOf = (state: State, { priority, deadlineAt }: Pick<EncodeOptions, 'priority' | 'deadlineAt'>): TimeLimit => {
  const askedAt = Date.now();
  if (deadlineAt !== undefined) return { askedAt, deadlineAt };
  if (priority !== 'interactive') return { askedAt, deadlineAt: null };
  return { askedAt, deadlineAt: askedAt + interactiveMsOn(infoOf(state).device.used, state.ladder) };
};

const encode = async (state: State, photo: Admitted, options: EncodeOptions): Promise<EncodeResult> => {
  const { images, router, latencies, tell } = state;
  const { path, identity, job, leave } = photo;
  const { priority = photo.priority, client = '', operation = encodeAll, signal } = options;
  const { prescreen = state.options.prescreen ?? null } = options;
  const asBefore = priority === photo.priority && options.deadlineAt === undefined;
  const limit = asBefore ? photo.limit : limitOf(state, { ...options, priority });
  const until = inTime(limit, signal);
  const delivery: Delivery = { priority, client, deadlineAt: limit.deadlineAt, operation };
  const work = encodePhoto(
    { images, router, latencies, tell, bulkMs: () => state.ladder.bulkMs },
    { path, identity, delivery, prescreen, signal: until, startedAt: Date.now() },
    job,
  ).finally(leave);
  // The caller is answered at once; what is under way ends by itself, and its result is not thrown away.
  const result = await unlessEnded(work, until, (late) => {
    if (late?.ok) tell({ kind: 'late', path, result: late });
  });
  return withLimit(result, limit);
};

const identify = async (
  state: State,
  path: string,
  { priority = 'bulk', deadlineAt, signal }: Pick<EncodeOptions, 'priority' | 'deadlineAt' | 'signal'>,
): Promise<OpenPhoto | NotJudgeable | NotDone> => {
  const { images, admission } = state;
  const crowd = admission.crowd(priority);
  if (crowd !== null) return notDone('queue_full', `${crowd} wait already`);
  const limit = limitOf(state, { priority, ...(deadlineAt !== undefined && { deadlineAt }) });
  const until = inTime(limit, signal);
  const job = images.newJob();
  let leave: () => void = () => undefined;
  const drop = () => {
    images.release(job);
    leave();
  };
  try {
    leave = await admission.enter(priority, until);
    const identified = await unlessEnded(images.identify(job, path, priority), until, drop);
    if (!identified.ok) {
      if ('kind' in identified) return withLimit(identified, limit);
      leave();
      return quarantine(identified);
    }
    const { identity } = identified;
    const photo: Admitted = { path, identity, priority, limit, job, leave };
    return { ok: true, identity, encode: (options = {}) => encode(state, photo, options), release: drop };
  } catch (error) {
    drop();
    return withLimit(outcomeOf(error, until), limit);
  }
};

const setBatching = (state: State, batching: Batching): void => {
  state.batching = batching;
  for (const line of state.router.lines()) line.setBatching(batching);
  state.router.changed();
  state.admission.changed();
};

const setLadder = (state: State, ladder: LadderSettings): void => {
  state.ladder = ladder;
  setBatching(state, { ...state.batching, limits: timesOf(ladder) });
  for (const line of state.router.lines()) line.setLadder(ladder);
};

const openState = (options: EngineOptions): State => {
  const { images, ladder } = options;
  const router = createRouter<InferenceLine>(2 * images.size);
  return {
    ...{ options, images, router, ladder },
    admission: openAdmission(router.room),
    latencies: createLatencies(),
    tell: (event) => options.onEvent?.(event),
    batching: {
      batch: options.batch ?? { mode: 'auto' },
      maxDelayMs: options.maxDelayMs ?? 8,
      limits: timesOf(ladder),
    },
  };
};

/** Resolves when every line is up or has given up. @throws EngineUnavailable where none is up. */
const openLines = async ({ options, router, admission, batching, tell }: State): Promise<void> => {
  const changed = () => {
    router.changed();
    admission.changed();
  };
  const lines = (options.lines ?? [anyDevice]).map((line, i) =>
    openLine(options, line, i, batching, { tell, changed }),
  );
  for (const line of lines) router.add(line);
  const starts = await Promise.allSettled(lines.map((line) => line.up()));
  if (starts.some(({ status }) => status === 'fulfilled')) return;
  const [first] = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []));
  throw first instanceof HostUnavailable ? lines[0]!.client.unavailable(first) : first;
};

const watchMemory = ({ options, router, tell }: State): (() => void) =>
  watchHostMemory({
    kind: 'inference',
    ceilingMb: () => options.hostMemoryMb ?? 0,
    hosts: () =>
      router.lines().flatMap((line) => {
        const ladder = line.ladder();
        return ladder ? [{ ...line.figures(), replace: ladder.renew }] : [];
      }),
    tell,
    ...(options.hostMemoryTimes && { times: options.hostMemoryTimes }),
  });

export const startEngine = async (options: EngineOptions): Promise<Engine> => {
  const { images, priority = 'normal', hostMemoryMb = 0 } = options;
  const giveBack = images.claim({ priority, hostMemoryMb });
  const state = openState(options);
  const { router, admission, latencies } = state;
  const stopHosts = () => Promise.all([...router.lines().map((line) => line.stop()), giveBack()]);
  try {
    await openLines(state);
  } catch (error) {
    await stopHosts();
    throw error;
  }
  const unwatchMemory = watchMemory(state);
  return {
    info: () => infoOf(state),
    identify: (path, wanted = {}) => identify(state, path, wanted),
    async encode(path, { priority: asked = 'bulk', ...rest } = {}) {
      const { signal, deadlineAt } = rest;
      const first = { ...(signal && { signal }), ...(deadlineAt !== undefined && { deadlineAt }) };
      const opened = await identify(state, path, { priority: asked, ...first });
      return opened.ok ? opened.encode(rest) : opened;
    },
    setBatch: (batch, maxDelayMs = state.batching.maxDelayMs) =>
      setBatching(state, { ...state.batching, batch, maxDelayMs }),
    setLadder: (ladder) => setLadder(state, ladder),
    stats: () => statsOf(router, images, latencies, admission.inside()),
    async stop() {
      const stopped = new HostUnavailable('the engine was stopped', true);
      admission.close(stopped);
      router.close(stopped);
      unwatchMemory();
      await stopHosts();
    },
  };
};
