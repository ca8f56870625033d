/**
 * A pool of image hosts. A job stays with the host that identified it, since that host holds the photo's bytes; when
 * the host dies, the job is identified again in the next one.
 */

import type { Tile } from '../../contract/preview.ts';
import type { HostPriority } from '../../contract/settings.ts';
import { createGate, type Gate } from '../../hosts/gate.ts';
import type { SpawnHost } from '../../hosts/host.ts';
import { priorityVariable } from '../../hosts/host-port.ts';
import { createIsolation, HostLost, type Isolation, KillsHost, TooManyTries } from '../../hosts/isolation.ts';
import { type BackOff, type HostExit, type Line, type Supervisor, supervise } from '../../hosts/supervisor.ts';
import type {
  Delivery,
  Failure,
  Identified,
  ImageHostConfig,
  ImageHostReply,
  ImageHostRequest,
  Prepared,
  Written,
} from '../protocol.ts';

export type ImagePool = Readonly<{
  /** Takes a job in; end it with `prepare` or `release`. `urgent` goes before what is not. */
  identify: (job: number, path: string, urgent?: boolean) => Promise<Identified>;
  prepare: (job: number, delivery: Delivery) => Promise<Prepared>;
  release: (job: number) => void;
  preview: (path: string, size: 256 | 2048, out: string) => Promise<Written>;
  tile: (path: string, tile: Tile, out: string) => Promise<Written>;
  /** Sends every host, now and after each restart, where pixels go and what to cut out. */
  configure: (config: ImageHostConfig) => void;
  /** Ends a host between two requests; another one takes its place. */
  replace: (pid: number | undefined) => Promise<void>;
  stop: () => Promise<void>;
  hosts: () => ReadonlyArray<Readonly<{ pid: number | undefined; restarts: number }>>;
}>;

export type ImagePoolOptions = Readonly<{
  spawn: SpawnHost;
  entry: string;
  size: number;
  config: ImageHostConfig;
  /** A host that takes longer over one request is killed. */
  requestMs?: number;
  backOff?: BackOff;
  priority?: HostPriority;
  onExit?: (exit: HostExit) => void;
}>;

/** Requests at work in one host: one decodes while another reads or sends. */
const atWork = 2;
const readyTimeoutMs = 60_000;
const defaultRequestMs = 60_000;

type Member = {
  readonly isolation: Isolation;
  readonly gate: Gate;
  readonly supervisor: Supervisor<ImageHostRequest>;
  readonly pending: Map<number, Readonly<{ resolve: (reply: ImageHostReply) => void; reject: (error: Error) => void }>>;
  jobs: number;
};
type Job = { readonly path: string; readonly member: Member; fileHash: string; generation: number };

/**
 * V8 sees small handles where there are large buffers, so left alone it lets 150 MB of both pile up before it collects
 * them; collecting all of a small heap each time costs no measurable time. And glibc keeps what was freed, in an arena
 * for each thread, unless large buffers always come from the system and go back to it.
 */
const flatMemory = {
  v8Flags: ['--gc-global', '--min-semi-space-size=8', '--max-semi-space-size=8'],
  env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' },
};

const changed: Failure = { ok: false, reason: { code: 'still_changing', params: {} }, retryable: true };

export const startImagePool = (options: ImagePoolOptions): ImagePool => {
  let config = options.config;
  const jobs = new Map<number, Job>();
  let pictureJobs = -1;

  const startMember = (index: number): Member => {
    const pending: Member['pending'] = new Map();
    const supervisor = supervise<ImageHostRequest, ImageHostReply>({
      spawn: options.spawn,
      entry: options.entry,
      name: `image host ${index + 1}`,
      v8Flags: flatMemory.v8Flags,
      env: { ...flatMemory.env, ...(options.priority && { [priorityVariable]: options.priority }) },
      first: () => ({ kind: 'configure', config }),
      isReady: (reply) => reply.kind === 'ready',
      readyTimeoutMs,
      silenceMs: null,
      ...(options.backOff && { backOff: options.backOff }),
      onReply(reply) {
        if (reply.kind === 'ready') return;
        pending.get(reply.job)?.resolve(reply);
      },
      onDown(exit) {
        for (const { reject } of pending.values()) reject(new HostLost(exit.how));
        pending.clear();
        options.onExit?.(exit);
      },
    });
    return { isolation: createIsolation(), gate: createGate(() => atWork), supervisor, pending, jobs: 0 };
  };
  const members = Array.from({ length: options.size }, (_, i) => startMember(i));
  const leastBusy = (): Member => members.reduce((a, b) => (b.jobs < a.jobs ? b : a));

  const ask = <K extends ImageHostReply['kind']>(
    { pending, supervisor }: Member,
    line: Line<ImageHostRequest>,
    request: Extract<ImageHostRequest, { job: number }>,
    kind: K,
  ): Promise<Extract<ImageHostReply, { kind: K }>> =>
    new Promise((resolve, reject) => {
      const { job } = request;
      const tooLong = setTimeout(() => supervisor.end('hung'), options.requestMs ?? defaultRequestMs);
      const settle = () => {
        clearTimeout(tooLong);
        pending.delete(job);
      };
      pending.set(job, {
        resolve: (reply) => {
          settle();
          if (reply.kind === kind) resolve(reply as Extract<ImageHostReply, { kind: K }>);
          else reject(new Error(`an image host answered ${reply.kind} to ${request.kind}`));
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      line.post(request);
    });

  /** Runs a request under the crash rule; a file that keeps killing hosts becomes a failure. */
  const safely = async <T>(
    member: Member,
    urgent: boolean,
    task: (line: Line<ImageHostRequest>) => Promise<T>,
  ): Promise<T | Failure> => {
    const leave = await member.gate.enter({ urgent });
    try {
      return await member.isolation.run(async () => task(await member.supervisor.up()));
    } catch (error) {
      if (error instanceof KillsHost) {
        const params = { host: 'image' as const, times: error.times };
        return { ok: false, reason: { code: 'kills_host', params }, retryable: false };
      }
      if (error instanceof TooManyTries) {
        return { ok: false, reason: { code: 'unreadable', params: { error: error.message } }, retryable: true };
      }
      throw error;
    } finally {
      leave();
    }
  };

  const drop = (id: number): Job | undefined => {
    const job = jobs.get(id);
    if (jobs.delete(id) && job) job.member.jobs -= 1;
    return job;
  };

  /** A picture for a person, who is waiting. */
  const picture = (request: (job: number) => Extract<ImageHostRequest, { kind: 'preview' | 'tile' }>) => {
    const asked = request(pictureJobs);
    pictureJobs -= 1;
    const member = leastBusy();
    return safely(member, true, async (line) => (await ask(member, line, asked, asked.kind)).result);
  };

  return {
    async identify(id, path, urgent = false) {
      const member = leastBusy();
      const job: Job = { path, member, fileHash: '', generation: 0 };
      jobs.set(id, job);
      member.jobs += 1;
      const result = await safely(member, urgent, async (line) => {
        job.generation = line.generation;
        return (await ask(member, line, { kind: 'identify', job: id, path }, 'identified')).result;
      }).catch((error) => {
        drop(id);
        throw error;
      });
      if (result.ok) job.fileHash = result.identity.fileHash;
      else drop(id);
      return result;
    },
    async prepare(id, delivery) {
      const job = jobs.get(id);
      if (!job) throw new Error(`job ${id} was not identified, or was ended`);
      const { member, path } = job;
      try {
        return await safely(member, delivery.priority === 'interactive', async (line): Promise<Prepared> => {
          if (job.generation !== line.generation) {
            const again = (await ask(member, line, { kind: 'identify', job: id, path }, 'identified')).result;
            if (!again.ok) return again;
            if (again.identity.fileHash !== job.fileHash) return changed;
            job.generation = line.generation;
          }
          return (await ask(member, line, { kind: 'prepare', job: id, delivery }, 'prepared')).result;
        });
      } finally {
        drop(id);
      }
    },
    release(id) {
      const job = drop(id);
      const line = job?.member.supervisor.line();
      if (job && line?.generation === job.generation) line.post({ kind: 'release', job: id });
    },
    preview: (path, size, out) => picture((job) => ({ kind: 'preview', job, path, size, out })),
    tile: (path, tile, out) => picture((job) => ({ kind: 'tile', job, path, tile, out })),
    configure(next) {
      config = next;
      for (const { supervisor } of members) supervisor.line()?.post({ kind: 'configure', config });
    },
    async replace(pid) {
      const member = members.find(({ supervisor }) => supervisor.pid() === pid);
      if (!member) return;
      // All its places: then nobody is at work in it.
      const places = await Promise.all(Array.from({ length: atWork }, () => member.gate.enter({ urgent: true })));
      if (member.supervisor.pid() === pid) member.supervisor.end('recycled');
      for (const leave of places) leave();
    },
    async stop() {
      await Promise.all(members.map(({ supervisor }) => supervisor.stop()));
    },
    hosts: () => members.map(({ supervisor }) => ({ pid: supervisor.pid(), restarts: supervisor.restarts() })),
  };
};
