/**
 * Keeps one host process alive: starts it, waits until it is ready, kills it when it stops answering, starts it again
 * with a growing pause, and stops it cleanly.
 */
import type { HostHandle, SpawnHost } from './host.ts';
import type { HostEnd } from './isolation.ts';
import { afterEnd, afterReady, type BackOff, noRestarts, type Restarts, usualBackOff } from './restarts.ts';

type HostExit = Readonly<{ how: HostEnd; code: number | null; signal: string | null; stderr: string }>;

export type SupervisorOptions<Request, Reply> = Readonly<{
  spawn: SpawnHost;
  entry: string;
  name: string;
  env?: Readonly<Record<string, string>>;
  v8Flags?: readonly string[];
  /** First message to every new process. */
  first: (generation: number) => Request;
  isReady: (reply: Reply) => boolean;
  /** Why the host says that it cannot work, now or on another try; ends the supervisor. */
  refusal?: (reply: Reply) => string | undefined;
  readyTimeoutMs: number;
  /** Kills a ready host from which nothing came for so long; null where silence is normal. */
  silenceMs: number | null;
  /** Whether a reply shows that the host makes no progress. */
  isStuck?: (reply: Reply) => boolean;
  /** Called for every reply; for the one that makes the host ready, before anybody gets the host. */
  onReply: (reply: Reply, generation: number) => void;
  /** Called once per process that ended, before the next one starts; also when it was stopped on purpose. */
  onDown?: (exit: HostExit, generation: number) => void;
  stopRequest?: Request;
  backOff?: BackOff;
}>;

/** After giving up, a new demand may try again after so long. */
const restMs = 30_000;
const tickMs = 1000;
const outside = (signal: string | null): boolean => signal === 'SIGKILL' || signal === 'SIGTERM' || signal === 'SIGINT';

/** The host cannot be had: it refused, or it never became ready, or it was stopped. */
export class HostUnavailable extends Error {
  readonly stopped: boolean;
  constructor(message: string, stopped: boolean) {
    super(message);
    this.stopped = stopped;
  }
}

/** One process of a host, of which `generation` counts from 1. */
export type RunningHost<Request> = Readonly<{ generation: number; post: (request: Request) => void }>;

export type Supervisor<Request> = Readonly<{
  /** The running host, once it is ready; rejects with `HostUnavailable`. */
  up: () => Promise<RunningHost<Request>>;
  /** The host now, ready or not; and if it is ready. */
  running: () => RunningHost<Request> | undefined;
  ready: () => RunningHost<Request> | undefined;
  end: (how: 'hung' | 'recycled') => void;
  /** Asks the host to stop, kills it after the grace period, resolves when it is gone. */
  stop: (graceMs?: number) => Promise<void>;
  pid: () => number | undefined;
  restarts: () => number;
}>;

type Process<Request, Reply> = {
  readonly handle: HostHandle<Request, Reply>;
  readonly running: RunningHost<Request>;
  /** When it became ready; null before. */
  upAt: number | null;
  /** How the core ended it. */
  ended?: HostEnd;
};

type State<Request, Reply> = {
  readonly options: SupervisorOptions<Request, Reply>;
  readonly backOff: BackOff;
  process: Process<Request, Reply> | undefined;
  generation: number;
  restarts: Restarts;
  nextStart: NodeJS.Timeout | undefined;
  unavailable: Readonly<{ error: HostUnavailable; at: number }> | undefined;
  waiting: readonly Readonly<{ resolve: (host: RunningHost<Request>) => void; reject: (error: Error) => void }>[];
  onGone: readonly (() => void)[];
  heardAt: number;
  tickAt: number;
};

const giveUp = <Request, Reply>(state: State<Request, Reply>, error: HostUnavailable): void => {
  const { waiting } = state;
  state.unavailable = { error, at: Date.now() };
  state.waiting = [];
  for (const { reject } of waiting) reject(error);
};

const endNow = <Request, Reply>(process: Process<Request, Reply> | undefined, how: HostEnd): void => {
  if (!process || process.ended) return;
  process.ended = how;
  process.handle.kill();
};

const becomeReady = <Request, Reply>(state: State<Request, Reply>, process: Process<Request, Reply>, reply: Reply) => {
  process.upAt = Date.now();
  state.restarts = afterReady(state.restarts);
  state.options.onReply(reply, process.running.generation);
  const { waiting } = state;
  state.waiting = [];
  for (const { resolve } of waiting) resolve(process.running);
};

const hear = <Request, Reply>(state: State<Request, Reply>, process: Process<Request, Reply>, reply: Reply): void => {
  const { options } = state;
  if (process !== state.process || process.ended) return;
  state.heardAt = Date.now();
  const refused = options.refusal?.(reply);
  if (refused !== undefined) {
    giveUp(state, new HostUnavailable(refused, false));
    endNow(process, 'recycled');
  } else if (process.upAt === null && options.isReady(reply)) {
    becomeReady(state, process, reply);
    return;
  }
  options.onReply(reply, process.running.generation);
  if (options.isStuck?.(reply)) endNow(process, 'hung');
};

const neverStarted = (name: string, { code, signal, stderr }: Omit<HostExit, 'how'>): HostUnavailable => {
  const lastWords = stderr.trim().split('\n').slice(-3).join(' ');
  return new HostUnavailable(`${name} did not start: ${lastWords || `exit code ${code}, signal ${signal}`}`, false);
};

const afterExit = <Request, Reply>(
  state: State<Request, Reply>,
  process: Process<Request, Reply>,
  exit: Omit<HostExit, 'how'>,
): void => {
  const { options, backOff } = state;
  const killedFromOutside = outside(exit.signal);
  const how = process.ended ?? (killedFromOutside ? 'killed' : 'crashed');
  if (state.process === process) state.process = undefined;
  options.onDown?.({ ...exit, how: state.unavailable?.error.stopped ? 'stopped' : how }, process.running.generation);
  const { onGone } = state;
  state.onGone = [];
  for (const gone of onGone) gone();
  if (state.unavailable) return;
  const next = afterEnd(
    state.restarts,
    {
      upMs: process.upAt === null ? null : Date.now() - process.upAt,
      asked: process.ended !== undefined,
      planned: process.ended === 'recycled',
      killedFromOutside,
    },
    backOff,
  );
  state.restarts = next.state;
  if (next.startInMs === null) giveUp(state, neverStarted(options.name, exit));
  else state.nextStart = setTimeout(() => start(state), next.startInMs);
};

const start = <Request, Reply>(state: State<Request, Reply>): void => {
  const { spawn, entry, name, env, v8Flags, readyTimeoutMs, first } = state.options;
  state.generation += 1;
  const { generation } = state;
  const handle = spawn<Request, Reply>(entry, { name, ...(env && { env }), ...(v8Flags && { v8Flags }) });
  const process: Process<Request, Reply> = { handle, running: { generation, post: handle.post }, upAt: null };
  state.process = process;
  state.heardAt = Date.now();
  const tooSlow = setTimeout(() => process.upAt === null && endNow(process, 'hung'), readyTimeoutMs);
  handle.onReply((reply) => hear(state, process, reply));
  handle.onExit((exit) => {
    clearTimeout(tooSlow);
    afterExit(state, process, exit);
  });
  handle.post(first(generation));
};

/** Starts a host that was given up, once it has rested: what was wrong may have gone. */
const startAgain = <Request, Reply>(state: State<Request, Reply>): void => {
  const { unavailable, process, backOff } = state;
  if (!unavailable || unavailable.error.stopped || process || Date.now() - unavailable.at <= restMs) return;
  state.unavailable = undefined;
  state.restarts = noRestarts(backOff);
  start(state);
};

const lookForSilence = <Request, Reply>(state: State<Request, Reply>): void => {
  const { process, options, tickAt } = state;
  const now = Date.now();
  // A late tick means that this process slept (a laptop's lid): the host may have slept too.
  if (now - tickAt > 3 * tickMs) state.heardAt = now;
  state.tickAt = now;
  if (options.silenceMs === null || !process || process.upAt === null) return;
  if (now - state.heardAt > options.silenceMs) endNow(process, 'hung');
};

const readyHost = <Request, Reply>({ process }: State<Request, Reply>): RunningHost<Request> | undefined =>
  process && process.upAt !== null && !process.ended ? process.running : undefined;

/** Resolves when the process is gone. */
const endGently = <Request, Reply>(
  state: State<Request, Reply>,
  process: Process<Request, Reply>,
  graceMs: number,
): Promise<void> =>
  new Promise((resolve) => {
    const { stopRequest } = state.options;
    if (stopRequest === undefined || process.ended) {
      state.onGone = [...state.onGone, resolve];
      return endNow(process, 'recycled');
    }
    const grace = setTimeout(() => endNow(process, 'recycled'), graceMs);
    state.onGone = [...state.onGone, resolve, () => clearTimeout(grace)];
    process.handle.post(stopRequest);
  });

export const supervise = <Request, Reply>(options: SupervisorOptions<Request, Reply>): Supervisor<Request> => {
  const backOff = options.backOff ?? usualBackOff;
  const state: State<Request, Reply> = {
    options,
    backOff,
    process: undefined,
    generation: 0,
    restarts: noRestarts(backOff),
    nextStart: undefined,
    unavailable: undefined,
    waiting: [],
    onGone: [],
    heardAt: 0,
    tickAt: Date.now(),
  };
  const watchdog = setInterval(() => lookForSilence(state), tickMs);
  watchdog.unref();
  start(state);

  return {
    up() {
      startAgain(state);
      if (state.unavailable) return Promise.reject(state.unavailable.error);
      const ready = readyHost(state);
      if (ready) return Promise.resolve(ready);
      return new Promise((resolve, reject) => {
        state.waiting = [...state.waiting, { resolve, reject }];
      });
    },
    running: () => state.process?.running,
    ready: () => readyHost(state),
    end: (how) => endNow(state.process, how),
    async stop(graceMs = 2000) {
      giveUp(state, new HostUnavailable(`${options.name} was stopped`, true));
      clearInterval(watchdog);
      clearTimeout(state.nextStart);
      if (state.process) await endGently(state, state.process, graceMs);
    },
    pid: () => state.process?.handle.pid,
    restarts: () => Math.max(0, state.generation - 1),
  };
};
