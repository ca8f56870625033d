/** One image host as the core has it: what is asked of it, how much at a time, and what becomes of a file that kills it. */
import type { Priority } from '../../contract/priority.ts';
import type { HostPriority } from '../../contract/settings.ts';
import { createGate, type Gate } from '../../hosts/gate.ts';
import type { SpawnHost } from '../../hosts/host.ts';
import type { HostEvent, HostFigures } from '../../hosts/host-events.ts';
import { residentBytes } from '../../hosts/host-memory.ts';
import { priorityVariable } from '../../hosts/host-port.ts';
import { createIsolation, HostLost, type Isolation, KillsHost, TooManyTries } from '../../hosts/isolation.ts';
import type { BackOff } from '../../hosts/restarts.ts';
import { type RunningHost, type Supervisor, supervise } from '../../hosts/supervisor.ts';
import type { Failure, ImageHostReply, ImageHostRequest, ImageLimits } from '../protocol.ts';

export type ImageHostOptions = Readonly<{
  spawn: SpawnHost;
  entry: string;
  limits: ImageLimits;
  /** A host that takes longer over one request is killed. */
  requestMs?: number;
  backOff?: BackOff;
  tell: (event: HostEvent) => void;
}>;

type JobRequest = Extract<ImageHostRequest, { job: number }>;
type JobReply = Extract<ImageHostReply, { job: number }>;
type Results = Readonly<{ [K in JobReply['kind']]: Extract<JobReply, { kind: K }>['result'] }>;
type Pending = Readonly<{ resolve: (reply: JobReply) => void; reject: (error: Error) => void }>;

export type ImageHost = {
  readonly requestMs: number;
  readonly isolation: Isolation;
  readonly gate: Gate;
  readonly supervisor: Supervisor<ImageHostRequest>;
  readonly pending: Map<number, Pending>;
  /** Photos that it was given and that are not done. */
  jobs: number;
};

/** Requests at work in one host: one decodes while another reads or sends. */
const atWork = 2;
const readyTimeoutMs = 60_000;
const usualRequestMs = 60_000;

/**
 * V8 sees small handles where there are large buffers, so left alone it lets 150 MB of both pile up before it collects
 * them; collecting all of a small heap each time costs no measurable time. And glibc keeps what was freed, in an arena
 * for each thread, unless large buffers always come from the system and go back to it.
 */
const flatMemory = {
  v8Flags: ['--gc-global', '--min-semi-space-size=8', '--max-semi-space-size=8'],
  env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' },
};

/** `priority`: how it stands beside other programs; as whoever starts it where it is left out. */
export const startImageHost = (
  { spawn, entry, limits, requestMs = usualRequestMs, backOff, tell }: ImageHostOptions,
  name: string,
  priority?: HostPriority,
): ImageHost => {
  const pending = new Map<number, Pending>();
  const supervisor = supervise<ImageHostRequest, ImageHostReply>({
    spawn,
    entry,
    name,
    v8Flags: flatMemory.v8Flags,
    env: { ...flatMemory.env, ...(priority && { [priorityVariable]: priority }) },
    first: () => ({ kind: 'configure', limits }),
    isReady: (reply) => reply.kind === 'ready',
    readyTimeoutMs,
    silenceMs: null,
    ...(backOff && { backOff }),
    onReply(reply) {
      if (reply.kind !== 'ready') pending.get(reply.job)?.resolve(reply);
    },
    onDown({ how, stderr }) {
      for (const { reject } of pending.values()) reject(new HostLost(how));
      pending.clear();
      tell({ kind: 'host_down', host: 'image', how, stderr });
    },
  });
  return { requestMs, isolation: createIsolation(), gate: createGate(() => atWork), supervisor, pending, jobs: 0 };
};

export const askHost = <K extends keyof Results>(
  { pending, supervisor, requestMs }: ImageHost,
  running: RunningHost<ImageHostRequest>,
  request: JobRequest,
  kind: K,
): Promise<Results[K]> =>
  new Promise((resolve, reject) => {
    const { job } = request;
    const tooLong = setTimeout(() => supervisor.end('hung'), requestMs);
    const settle = () => {
      clearTimeout(tooLong);
      pending.delete(job);
    };
    pending.set(job, {
      resolve: (reply) => {
        settle();
        if (reply.kind === kind) resolve(reply.result as Results[K]);
        else reject(new Error(`an image host answered ${reply.kind} to ${request.kind}`));
      },
      reject: (error) => {
        settle();
        reject(error);
      },
    });
    running.post(request);
  });

/** Runs a request in its turn and under the crash rule; a file that keeps killing hosts becomes a failure. */
export const runSafely = async <T>(
  { gate, isolation, supervisor }: ImageHost,
  priority: Priority,
  task: (running: RunningHost<ImageHostRequest>) => Promise<T>,
): Promise<T | Failure> => {
  const leave = await gate.enter({ priority });
  try {
    return await isolation.run(async () => task(await supervisor.up()));
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

/** Ends this process of the host while nothing is at work in it; another one takes its place. */
export const replaceHost = async ({ gate, supervisor }: ImageHost): Promise<void> => {
  const pid = supervisor.pid();
  const places = await Promise.all(Array.from({ length: atWork }, () => gate.enter({ priority: 'interactive' })));
  try {
    // One that still starts would seem unable to.
    await supervisor.up();
    if (supervisor.pid() === pid) supervisor.end('recycled');
  } finally {
    for (const leave of places) leave();
  }
};

export const figuresOf = ({ supervisor }: ImageHost): HostFigures => {
  const pid = supervisor.pid();
  return { pid, restarts: supervisor.restarts(), rssBytes: residentBytes(pid) };
};
