/**
 * The image hosts of one core, shared by all its engines, its previews and its tiles. A photo's job stays with the host
 * that identified it, since that host holds the photo's bytes; when the host dies, the job is identified again in the
 * next one. Previews and tiles have a host of their own, so that a person never waits behind photos that are judged.
 */
import { availableParallelism } from 'node:os';
import type { Tile } from '../../contract/preview.ts';
import type { Priority } from '../../contract/priority.ts';
import type { HostPriority } from '../../contract/settings.ts';
import type { HostFigures } from '../../hosts/host-events.ts';
import { type HostMemoryTimes, watchHostMemory } from '../../hosts/host-memory.ts';
import { HostUnavailable, type RunningHost } from '../../hosts/supervisor.ts';
import type { Delivery, Failure, Identified, ImageHostRequest, PixelTarget, Prepared, Written } from '../protocol.ts';
import {
  askHost,
  figuresOf,
  type ImageHost,
  type ImageHostOptions,
  replaceHost,
  runSafely,
  startImageHost,
} from './image-host.ts';

/** What an engine wants of the hosts that its photos go through. */
export type PoolClaim = Readonly<{
  /** How the hosts stand beside other programs; taken when they start. */
  priority: HostPriority;
  /** A host that holds more than this is replaced between two requests, in MB; 0: never. */
  hostMemoryMb: number;
}>;

export type ImagePool = Readonly<{
  /** Hosts that photos go through. */
  size: number;
  /** Starts the hosts for photos, unless they run; they end when every claim was given back. */
  claim: (claim: PoolClaim) => () => Promise<void>;
  /** A number that no other job of this pool has. */
  newJob: () => number;
  /** Takes a job in; end it with `prepare` or `release`. Bulk work unless told otherwise. */
  identify: (job: number, path: string, priority?: Priority) => Promise<Identified>;
  prepare: (job: number, target: PixelTarget, delivery: Delivery) => Promise<Prepared>;
  release: (job: number) => void;
  preview: (path: string, size: 256 | 2048, out: string) => Promise<Written>;
  tile: (path: string, tile: Tile, out: string) => Promise<Written>;
  /** Those that photos go through. */
  hosts: () => readonly HostFigures[];
  stop: () => Promise<void>;
}>;

export type ImagePoolOptions = ImageHostOptions &
  Readonly<{
    /** Number of hosts for photos; 0: one less than there are cores, at least one. */
    size?: number;
    hostMemoryTimes?: HostMemoryTimes;
  }>;

type Job = { readonly path: string; readonly host: ImageHost; fileHash: string; generation: number };

type State = {
  readonly options: ImagePoolOptions;
  readonly size: number;
  photoHosts: readonly ImageHost[];
  pictureHost: ImageHost | null;
  claims: readonly PoolClaim[];
  readonly jobs: Map<number, Job>;
  lastJob: number;
  stopped: boolean;
};

const changed: Failure = { ok: false, reason: { code: 'still_changing', params: {} }, retryable: true };

const stopped = () => new HostUnavailable('the image hosts were stopped', true);

const newJob = (state: State): number => {
  state.lastJob += 1;
  return state.lastJob;
};

const allHosts = ({ photoHosts, pictureHost }: State): readonly ImageHost[] =>
  pictureHost ? [...photoHosts, pictureHost] : photoHosts;

/** The strictest of those that anybody asked for. */
const ceilingMb = ({ claims }: State): number => {
  const asked = claims.map(({ hostMemoryMb }) => hostMemoryMb).filter((mb) => mb > 0);
  return asked.length === 0 ? 0 : Math.min(...asked);
};

const stopAll = async (hosts: readonly ImageHost[]): Promise<void> => {
  await Promise.all(hosts.map(({ supervisor }) => supervisor.stop()));
};

const claim = (state: State, wanted: PoolClaim): (() => Promise<void>) => {
  if (state.stopped) throw stopped();
  const mine = { ...wanted };
  state.claims = [...state.claims, mine];
  if (state.photoHosts.length === 0) {
    state.photoHosts = Array.from({ length: state.size }, (_, i) =>
      startImageHost(state.options, `image host ${i + 1}`, wanted.priority),
    );
  }
  return async () => {
    if (!state.claims.includes(mine)) return;
    state.claims = state.claims.filter((other) => other !== mine);
    if (state.claims.length > 0) return;
    const hosts = state.photoHosts;
    state.photoHosts = [];
    await stopAll(hosts);
  };
};

const leastBusy = ({ photoHosts }: State): ImageHost => {
  const [first, ...others] = photoHosts;
  if (!first) throw stopped();
  return others.reduce((a, b) => (b.jobs < a.jobs ? b : a), first);
};

const drop = ({ jobs }: State, id: number): Job | undefined => {
  const job = jobs.get(id);
  if (jobs.delete(id) && job) job.host.jobs -= 1;
  return job;
};

const identifyIn = (host: ImageHost, running: RunningHost<ImageHostRequest>, id: number, path: string) =>
  askHost(host, running, { kind: 'identify', job: id, path }, 'identified');

const identify = async (state: State, id: number, path: string, priority: Priority): Promise<Identified> => {
  const host = leastBusy(state);
  const job: Job = { path, host, fileHash: '', generation: 0 };
  state.jobs.set(id, job);
  host.jobs += 1;
  const result = await runSafely(host, priority, (running) => {
    job.generation = running.generation;
    return identifyIn(host, running, id, path);
  }).catch((error) => {
    drop(state, id);
    throw error;
  });
  if (result.ok) job.fileHash = result.identity.fileHash;
  else drop(state, id);
  return result;
};

const prepare = async (state: State, id: number, target: PixelTarget, delivery: Delivery): Promise<Prepared> => {
  const job = state.jobs.get(id);
  if (!job) throw new Error(`job ${id} was not identified, or was ended`);
  const { host, path } = job;
  try {
    return await runSafely(host, delivery.priority, async (running): Promise<Prepared> => {
      if (job.generation !== running.generation) {
        const again = await identifyIn(host, running, id, path);
        if (!again.ok) return again;
        if (again.identity.fileHash !== job.fileHash) return changed;
        job.generation = running.generation;
      }
      return askHost(host, running, { kind: 'prepare', job: id, target, delivery }, 'prepared');
    });
  } finally {
    drop(state, id);
  }
};

const release = (state: State, id: number): void => {
  const job = drop(state, id);
  const running = job?.host.supervisor.running();
  if (job && running?.generation === job.generation) running.post({ kind: 'release', job: id });
};

type PictureRequest = Extract<ImageHostRequest, { kind: 'preview' | 'tile' }>;

/** Its host starts when a picture is first asked for, and stays. */
const draw = async (state: State, request: PictureRequest): Promise<Written> => {
  if (state.stopped) throw stopped();
  state.pictureHost ??= startImageHost(state.options, 'picture host');
  const host = state.pictureHost;
  return runSafely(host, 'interactive', (running) => askHost(host, running, request, request.kind));
};

/** Starts no host before one is needed. */
export const openImagePool = (options: ImagePoolOptions): ImagePool => {
  const size = options.size || Math.max(1, availableParallelism() - 1);
  const state: State = {
    ...{ options, size, photoHosts: [], pictureHost: null, claims: [], jobs: new Map(), lastJob: 0 },
    stopped: false,
  };
  const unwatchMemory = watchHostMemory({
    kind: 'image',
    ceilingMb: () => ceilingMb(state),
    hosts: () => allHosts(state).map((host) => ({ ...figuresOf(host), replace: () => replaceHost(host) })),
    tell: options.tell,
    ...(options.hostMemoryTimes && { times: options.hostMemoryTimes }),
  });
  return {
    size,
    claim: (wanted) => claim(state, wanted),
    newJob: () => newJob(state),
    identify: (job, path, priority = 'bulk') => identify(state, job, path, priority),
    prepare: (job, target, delivery) => prepare(state, job, target, delivery),
    release: (job) => release(state, job),
    preview: (path, size, out) => draw(state, { kind: 'preview', job: newJob(state), path, size, out }),
    tile: (path, tile, out) => draw(state, { kind: 'tile', job: newJob(state), path, tile, out }),
    hosts: () => state.photoHosts.map(figuresOf),
    async stop() {
      unwatchMemory();
      state.stopped = true;
      const hosts = allHosts(state);
      state.photoHosts = [];
      state.pictureHost = null;
      await stopAll(hosts);
    },
  };
};
