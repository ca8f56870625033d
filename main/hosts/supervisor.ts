/**
 * Keeps one host process alive: starts it, waits until it is ready, kills it when it stops answering, starts it again
 * with a growing pause, and stops it cleanly.
 */
import type { HostHandle, SpawnHost } from './host.ts';
import type { HostEnd } from './isolation.ts';

export type HostExit = Readonly<{ how: HostEnd; code: number | null; signal: string | null; stderr: string }>;

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
  /** Called for every reply; for the one that makes the host ready, before anybody gets the line. */
  onReply: (reply: Reply, generation: number) => void;
  /** Called once per process that ended, before the next one starts; also when it was stopped on purpose. */
  onDown?: (exit: HostExit, generation: number) => void;
  stopRequest?: Request;
  backOff?: BackOff;
}>;

/** Pauses between starts in ms; back to the first after `calmMs` of being up. */
export type BackOff = Readonly<{ firstMs: number; maxMs: number; calmMs: number; startsWithoutReady: number }>;
const defaultBackOff: BackOff = { firstMs: 200, maxMs: 5000, calmMs: 5000, startsWithoutReady: 5 };
/** After giving up, a new demand may try again after so long. */
const restMs = 30_000;
const tickMs = 1000;
/** A host killed from outside while it starts is a failed start, but a weak sign that it never can. */
const killedStart = 0.25;
const outside = (signal: string | null): boolean => signal === 'SIGKILL' || signal === 'SIGTERM' || signal === 'SIGINT';

/** The host cannot be had: it refused, or it never became ready, or it was stopped. */
export class HostUnavailable extends Error {
  readonly stopped: boolean;
  constructor(message: string, stopped: boolean) {
    super(message);
    this.stopped = stopped;
  }
}

export type Line<Request> = Readonly<{ generation: number; post: (request: Request) => void }>;

export type Supervisor<Request> = Readonly<{
  /** The line to the running host, once it is ready; rejects with `HostUnavailable`. */
  up: () => Promise<Line<Request>>;
  /** The line now, ready or not. */
  line: () => Line<Request> | undefined;
  end: (how: 'hung' | 'recycled') => void;
  /** Asks the host to stop, kills it after the grace period, resolves when it is gone. */
  stop: (graceMs?: number) => Promise<void>;
  pid: () => number | undefined;
  restarts: () => number;
}>;

export const supervise = <Request, Reply>(options: SupervisorOptions<Request, Reply>): Supervisor<Request> => {
  const backOff = options.backOff ?? defaultBackOff;
  type Running = {
    handle: HostHandle<Request, Reply>;
    line: Line<Request>;
    ready: boolean;
    upAt: number;
    ended?: HostEnd;
  };
  let running: Running | undefined;
  let generation = 0;
  let failedStarts = 0;
  let pauseMs = backOff.firstMs;
  let pause: NodeJS.Timeout | undefined;
  let unavailable: Readonly<{ error: HostUnavailable; at: number }> | undefined;
  const waiting: Array<Readonly<{ resolve: (line: Line<Request>) => void; reject: (error: Error) => void }>> = [];
  let heardAt = 0;
  let tickAt = Date.now();
  const goneListeners = new Set<() => void>();

  const giveUp = (error: HostUnavailable) => {
    unavailable = { error, at: Date.now() };
    for (const { reject } of waiting.splice(0)) reject(error);
  };

  const endOf = (host: Running, signal: string | null): HostEnd => {
    if (unavailable?.error.stopped) return 'stopped';
    return host.ended ?? (outside(signal) ? 'killed' : 'crashed');
  };

  const endNow = (host: Running | undefined, how: HostEnd) => {
    if (!host || host.ended) return;
    host.ended = how;
    host.handle.kill();
  };

  const hear = (host: Running, reply: Reply) => {
    if (host !== running || host.ended) return;
    heardAt = Date.now();
    const refused = options.refusal?.(reply);
    if (refused !== undefined) {
      giveUp(new HostUnavailable(refused, false));
      endNow(host, 'recycled');
    } else if (!host.ready && options.isReady(reply)) {
      host.ready = true;
      host.upAt = Date.now();
      failedStarts = 0;
      options.onReply(reply, host.line.generation);
      for (const { resolve } of waiting.splice(0)) resolve(host.line);
      return;
    }
    options.onReply(reply, host.line.generation);
    if (options.isStuck?.(reply)) endNow(host, 'hung');
  };

  const start = () => {
    pause = undefined;
    generation += 1;
    const handle = options.spawn<Request, Reply>(options.entry, {
      name: options.name,
      ...(options.env && { env: options.env }),
      ...(options.v8Flags && { v8Flags: options.v8Flags }),
    });
    const host: Running = {
      handle,
      line: { generation, post: handle.post },
      ready: false,
      upAt: 0,
    };
    running = host;
    heardAt = Date.now();
    const tooSlow = setTimeout(() => !host.ready && endNow(host, 'hung'), options.readyTimeoutMs);
    handle.onReply((reply) => hear(host, reply));
    handle.onExit(({ code, signal, stderr }) => {
      clearTimeout(tooSlow);
      if (running === host) running = undefined;
      options.onDown?.({ how: endOf(host, signal), code, signal, stderr }, host.line.generation);
      for (const gone of goneListeners) gone();
      if (unavailable) return;
      if (!host.ready) failedStarts += outside(signal) && !host.ended ? killedStart : 1;
      if (failedStarts >= backOff.startsWithoutReady) {
        const lastWords = stderr.trim().split('\n').slice(-3).join(' ');
        giveUp(
          new HostUnavailable(
            `${options.name} did not start: ${lastWords || `exit code ${code}, signal ${signal}`}`,
            false,
          ),
        );
        return;
      }
      if (host.ready && Date.now() - host.upAt >= backOff.calmMs) pauseMs = backOff.firstMs;
      const planned = host.ended === 'recycled';
      pause = setTimeout(start, planned ? 0 : pauseMs);
      if (!planned) pauseMs = Math.min(backOff.maxMs, pauseMs * 2);
    });
    handle.post(options.first(generation));
  };

  const watchdog = setInterval(() => {
    const now = Date.now();
    // A late tick means that this process slept (a laptop's lid): the host may have slept too.
    if (now - tickAt > 3 * tickMs) heardAt = now;
    tickAt = now;
    if (options.silenceMs === null || !running?.ready) return;
    if (now - heardAt > options.silenceMs) endNow(running, 'hung');
  }, tickMs);
  watchdog.unref();

  start();

  return {
    up() {
      if (unavailable && !unavailable.error.stopped && !running && Date.now() - unavailable.at > restMs) {
        unavailable = undefined;
        failedStarts = 0;
        pauseMs = backOff.firstMs;
        start();
      }
      if (unavailable) return Promise.reject(unavailable.error);
      if (running?.ready && !running.ended) return Promise.resolve(running.line);
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    line: () => running?.line,
    end: (how) => endNow(running, how),
    async stop(graceMs = 2000) {
      giveUp(new HostUnavailable(`${options.name} was stopped`, true));
      clearInterval(watchdog);
      clearTimeout(pause);
      const host = running;
      if (!host) return;
      await new Promise<void>((resolve) => {
        goneListeners.add(resolve);
        if (options.stopRequest === undefined || host.ended) {
          endNow(host, 'recycled');
          return;
        }
        const grace = setTimeout(() => endNow(host, 'recycled'), graceMs);
        goneListeners.add(() => clearTimeout(grace));
        host.handle.post(options.stopRequest);
      });
    },
    pid: () => running?.handle.pid,
    restarts: () => Math.max(0, generation - 1),
  };
};
