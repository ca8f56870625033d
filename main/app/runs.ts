/** Runs of the app: one at a time, with pause, resume, cancel and a fresh start under new settings. */
import { setMaxListeners } from 'node:events';
import { v7 } from 'uuid';
import type { ApiError } from '../contract/result.ts';
import type { LabelCounts, Run, RunStatus } from '../contract/views.ts';
import type { ScanProgress } from '../library/scan-types.ts';
import { toApiError } from './errors.ts';

export type ScanRequest = Readonly<{
  folderIds: readonly string[];
  recheck: 'none' | 'all' | 'degraded' | 'precision';
  retryQuarantined: boolean;
}>;

/** What one scan needs from its run, and tells it. */
export type ScanControl = Readonly<{
  signal: AbortSignal;
  whileRunning: () => Promise<void>;
  onProgress: (progress: ScanProgress) => void;
}>;
export type Scanned = Readonly<{
  photos: Omit<ScanProgress, 'discovering' | 'photosPerSecond' | 'etaMs'>;
  verdicts: LabelCounts;
}>;

export type RunPorts = Readonly<{
  scan: (request: ScanRequest, control: ScanControl) => Promise<Scanned>;
  /** How many statements a photo is judged on. */
  statements: () => number;
  /** Effective labels so far of the photos in these folders. */
  verdicts: (folderIds: readonly string[]) => Promise<LabelCounts>;
  tell: (run: Run) => void;
  /** Verdicts may have changed. */
  changed: () => void;
  /** A run has ended, in whatever way. */
  ended: (run: Run) => void;
}>;

export type Runs = Readonly<{
  current: () => Run | null;
  active: () => boolean;
  start: (request: ScanRequest) => Run;
  /**
   * As start, but after the active run where there is one; several requests become one run. Resolves with the run to
   * look at: the active one, or, where that one was cancelled and only drains, the next.
   */
  soon: (request: ScanRequest) => Promise<Run>;
  /** undefined: no such run. */
  pause: (id: string) => Run | undefined;
  resume: (id: string) => Run | undefined;
  cancel: (id: string) => Run | undefined;
  /** Stops the scan under way, lets `change` happen, and goes on with what is left. */
  restart: (change: () => Promise<void>) => Promise<void>;
  close: () => Promise<void>;
}>;

const tellEveryMs = 100;
const changedEveryMs = 1000;
const nothing = (): void => undefined;
const none: LabelCounts = { yes: 0, no: 0, maybe: 0 };
const isActive = (status: RunStatus): boolean => status === 'running' || status === 'paused';

type Active = {
  request: ScanRequest;
  stop: AbortController;
  done: Promise<void>;
  /** Resolves once the scan under way has ended and stored what it finished. */
  drained: Promise<void>;
  resume: () => void;
  gate: Promise<void> | undefined;
};

const merged = (a: ScanRequest | undefined, b: ScanRequest): ScanRequest =>
  a
    ? {
        // No folder named means all of them.
        folderIds: a.folderIds.length && b.folderIds.length ? [...new Set([...a.folderIds, ...b.folderIds])] : [],
        recheck: a.recheck === 'none' ? b.recheck : a.recheck,
        retryQuarantined: a.retryQuarantined || b.retryQuarantined,
      }
    : b;

export const openRuns = (ports: RunPorts): Runs => {
  let run: Run | null = null;
  let active: Active | undefined;
  let next: ScanRequest | undefined;
  let changing: Promise<void> | undefined;
  let closing = false;
  let toldAt = 0;
  let later: NodeJS.Timeout | undefined;

  const tellNow = () => {
    clearTimeout(later);
    later = undefined;
    toldAt = performance.now();
    if (run) ports.tell(run);
  };
  const update = (change: Partial<Run>, urgent = false) => {
    if (!run) return;
    run = { ...run, ...change };
    const wait = tellEveryMs - (performance.now() - toldAt);
    if (urgent || wait <= 0) tellNow();
    else later ??= setTimeout(tellNow, wait);
  };

  /** Looks at the growing counts beside the scan, more rarely the longer a look takes. */
  const watchCounts = (folderIds: readonly string[]): (() => void) => {
    let over = false;
    const look = async () => {
      const start = performance.now();
      const verdicts = await ports.verdicts(folderIds).catch(() => null);
      if (over) return;
      if (verdicts) update({ verdicts });
      ports.changed();
      timer = setTimeout(look, Math.max(changedEveryMs, 10 * (performance.now() - start)));
    };
    let timer = setTimeout(look, changedEveryMs);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  };

  /** Another change may come while one is made. */
  const settledChanges = async () => {
    for (let seen: typeof changing; seen !== changing; ) {
      seen = changing;
      await seen;
    }
  };

  /** One scan after another until one was not stopped for a restart. */
  const work = async (own: Active): Promise<RunStatus> => {
    /** Judged in scans of this run that a restart ended: the next scan finds them cached. */
    let judgedBefore = 0;
    for (;;) {
      const { signal } = own.stop;
      let judged = 0;
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      const scanning = ports.scan(own.request, {
        signal,
        // A paused scan that is stopped must be able to end.
        whileRunning: () => (own.gate ? Promise.race([own.gate, stopped]) : Promise.resolve()),
        onProgress: (progress) => {
          judged = progress.judged;
          update(progressOf(progress, judgedBefore, ports.statements()));
        },
      });
      own.drained = scanning.then(nothing, nothing);
      const scanned = await scanning;
      if (!signal.aborted) {
        const photos = {
          ...scanned.photos,
          discovering: false,
          photosPerSecond: run?.photosPerSecond ?? 0,
          etaMs: null,
        };
        update({ ...progressOf(photos, judgedBefore, ports.statements()), verdicts: scanned.verdicts });
        return 'done';
      }
      if (signal.reason !== restarting) return 'cancelled';
      judgedBefore += judged;
      await settledChanges();
      if (closing) return 'cancelled';
      own.stop = newStop();
    }
  };

  const end = (status: RunStatus, error: ApiError | null) => {
    active = undefined;
    update({ status, error, endedAt: Date.now(), etaMs: null }, true);
    ports.changed();
    if (run) ports.ended(run);
    if (next && !closing) {
      const request = next;
      next = undefined;
      start(request);
    }
  };

  const start = (request: ScanRequest): Run => {
    const own: Active = {
      request,
      stop: newStop(),
      done: Promise.resolve(),
      drained: Promise.resolve(),
      resume: nothing,
      gate: undefined,
    };
    active = own;
    const fresh: Run = {
      id: v7(),
      status: 'running',
      folderIds: request.folderIds,
      startedAt: Date.now(),
      endedAt: null,
      discovering: true,
      photos: { found: 0, done: 0, judged: 0, cached: 0, quarantined: 0, ignored: 0 },
      verdicts: none,
      photosPerSecond: 0,
      pairsPerSecond: 0,
      etaMs: null,
      error: null,
    };
    run = fresh;
    tellNow();
    const unwatch = watchCounts(request.folderIds);
    own.done = work(own)
      .then(
        (status) => end(status, null),
        (cause) => end('failed', toApiError(cause)),
      )
      .finally(unwatch);
    return fresh;
  };

  /** The active run, if it has this id. */
  const named = (id: string): Active | undefined => (run?.id === id ? active : undefined);

  return {
    current: () => run,
    active: () => active !== undefined,
    start,
    soon: async (request) => {
      if (!active || !run) return start(request);
      next = merged(next, request);
      if (!isActive(run.status)) await active.done;
      return run;
    },
    pause: (id) => {
      const own = named(id);
      if (own && !own.gate && run?.status === 'running') {
        own.gate = new Promise((resolve) => {
          own.resume = resolve;
        });
        update({ status: 'paused', etaMs: null }, true);
      }
      return run?.id === id ? run : undefined;
    },
    resume: (id) => {
      const own = named(id);
      if (own?.gate) {
        own.gate = undefined;
        own.resume();
        update({ status: 'running' }, true);
      }
      return run?.id === id ? run : undefined;
    },
    cancel: (id) => {
      const own = named(id);
      if (own) {
        next = undefined;
        own.stop.abort(cancelling);
        own.resume();
        if (run && isActive(run.status)) update({ status: 'cancelled' }, true);
      }
      return run?.id === id ? run : undefined;
    },
    restart: async (change) => {
      active?.stop.abort(restarting);
      // What a scan still stores needs what the change takes away, so the change waits for it.
      changing = Promise.all([changing?.catch(nothing), active?.drained]).then(change);
      await changing;
    },
    close: async () => {
      closing = true;
      next = undefined;
      active?.stop.abort(cancelling);
      active?.resume();
      await active?.done;
      clearTimeout(later);
    },
  };
};

/** Every photo under way listens to it. */
const newStop = (): AbortController => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
};

const restarting = new Error('the run starts over with other settings');
const cancelling = new Error('the run was cancelled');

const progressOf = (progress: ScanProgress, judgedBefore: number, statements: number): Partial<Run> => {
  const { discovering, found, ignored, quarantined, photosPerSecond, etaMs } = progress;
  const again = Math.min(judgedBefore, progress.cached);
  const judged = progress.judged + again;
  const cached = progress.cached - again;
  return {
    discovering,
    photos: { found, done: judged + cached + quarantined, judged, cached, quarantined, ignored },
    photosPerSecond,
    pairsPerSecond: photosPerSecond * statements,
    etaMs,
  };
};
