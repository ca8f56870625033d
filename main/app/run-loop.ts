/** How a run goes from its beginning to its end: noted in the store, scanned once or over again, held while it is paused. */
import { setMaxListeners } from 'node:events';
import type { VouchError } from '../contract/errors.ts';
import type { LabelCounts, Run } from '../contract/views.ts';
import { nothingRun, type RunTotals } from '../library/run-record.ts';
import type { ScanProgress } from '../library/scan-types.ts';
import type { RunRecord } from '../store/types.ts';
import {
  isDraining,
  noRuns,
  progressed,
  type RunsState,
  restarted,
  type Scanned,
  type ScanRequest,
  scanned,
} from './run-state.ts';

/** What one scan needs from its run, and tells it. */
export type ScanControl = Readonly<{
  signal: AbortSignal;
  whileRunning: () => Promise<void>;
  /** `statements`: on how many a photo is judged. */
  onProgress: (progress: ScanProgress, statements: number) => void;
}>;

export type RunEnd = Readonly<
  { state: 'done' | 'interrupted'; totals: RunTotals } | { state: 'failed'; cause: unknown }
>;

export type RunPorts = Readonly<{
  /** Notes the run under the id that windows show. */
  begin: (id: string, request: ScanRequest) => Promise<RunRecord>;
  scan: (run: RunRecord, request: ScanRequest, control: ScanControl) => Promise<Scanned>;
  end: (run: RunRecord, end: RunEnd) => Promise<void>;
  /** What a failed scan means to a person. */
  explain: (thrown: unknown) => VouchError;
  /** Effective labels so far of the photos in these folders. */
  verdicts: (folderIds: readonly string[]) => Promise<LabelCounts>;
  onChange: (run: Run) => void;
  /** Verdicts may have changed. */
  onVerdicts: () => void;
  /** A run has ended, in whatever way. */
  onEnd: (run: Run) => void;
}>;

const tellEveryMs = 100;
const nothing = (): void => undefined;

/** A run under way: what can be done to it. */
export type Active = {
  stop: AbortController;
  /** Resolves once the scan under way has ended and stored what it finished. */
  drained: Promise<void>;
  /** Resolves when the run is over; rejects with what made it fail. */
  over: Promise<void>;
  /** Closed while the run is paused. */
  gate: Readonly<{ opened: Promise<void>; open: () => void }> | null;
};

/** The state, and who hears of its changes: at once where that is urgent, else at most ten times a second. */
export type Shown = Readonly<{
  now: () => RunsState;
  set: (next: RunsState, urgent?: boolean) => void;
  close: () => void;
}>;

export const openShown = (onChange: (run: Run) => void): Shown => {
  let state = noRuns;
  let toldAt = Number.NEGATIVE_INFINITY;
  let later: NodeJS.Timeout | undefined;
  const tell = () => {
    clearTimeout(later);
    later = undefined;
    toldAt = performance.now();
    if (state.run) onChange(state.run);
  };
  return {
    now: () => state,
    set: (next, urgent = false) => {
      const changed = next.run !== state.run;
      state = next;
      if (!changed) return;
      const wait = tellEveryMs - (performance.now() - toldAt);
      if (urgent || wait <= 0) tell();
      else later ??= setTimeout(tell, wait);
    },
    close: () => clearTimeout(later),
  };
};

export const newGate = (): NonNullable<Active['gate']> => {
  let open = nothing;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
};

export const openGate = (active: Active | undefined): void => {
  active?.gate?.open();
  if (active) active.gate = null;
};

/** Every photo under way listens to it. */
export const newStop = (): AbortController => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
};

/** Changes that no scan may be under way for: another may come while one is made. */
export const openChanges = () => {
  let last: Promise<void> | undefined;
  return {
    add: (ready: Promise<void> | undefined, change: () => Promise<void>): Promise<void> => {
      last = Promise.all([last?.catch(nothing), ready]).then(change);
      return last;
    },
    settled: async () => {
      for (let seen: typeof last; seen !== last; ) {
        seen = last;
        await seen?.catch(nothing);
      }
    },
  };
};

type Parts = Readonly<{
  ports: RunPorts;
  shown: Shown;
  changes: ReturnType<typeof openChanges>;
  closing: () => boolean;
}>;

const scanOnce = ({ ports, shown }: Parts, own: Active, run: RunRecord, request: ScanRequest): Promise<Scanned> => {
  const { signal } = own.stop;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  const scanning = ports.scan(run, request, {
    signal,
    // A paused scan that is stopped must be able to end.
    whileRunning: () => (own.gate ? Promise.race([own.gate.opened, stopped]) : Promise.resolve()),
    onProgress: (progress, statements) => shown.set(progressed(shown.now(), progress, statements)),
  });
  own.drained = scanning.then(nothing, nothing);
  return scanning;
};

/** One scan after another until one was not stopped for a restart. */
const scanThrough = async (
  parts: Parts,
  own: Active,
  run: RunRecord,
  request: ScanRequest,
): Promise<Extract<RunEnd, { totals: unknown }>> => {
  const { shown, changes, closing } = parts;
  let statementCache = nothingRun.statementCache;
  const end = (state: 'done' | 'interrupted') => {
    const { photos } = shown.now().run ?? nothingRun;
    return { state, totals: { photos, statementCache } };
  };
  for (;;) {
    await changes.settled();
    if (closing() || isDraining(shown.now())) return end('interrupted');
    if (own.stop.signal.aborted) own.stop = newStop();
    const done = await scanOnce(parts, own, run, request);
    const { hits, misses } = done.statementCache;
    statementCache = { hits: statementCache.hits + hits, misses: statementCache.misses + misses };
    if (!own.stop.signal.aborted) {
      shown.set(scanned(shown.now(), done));
      return end('done');
    }
    shown.set(restarted(shown.now()));
  }
};

/** All of one run, from noting that it began to noting how it ended; rejects with what made it fail. */
export const runThrough = async (
  parts: Parts,
  own: Active,
  id: string,
  request: ScanRequest,
): Promise<RunEnd['state']> => {
  const { ports } = parts;
  const run = await ports.begin(id, request);
  try {
    const end = await scanThrough(parts, own, run, request);
    await ports.end(run, end);
    return end.state;
  } catch (cause) {
    await ports.end(run, { state: 'failed', cause });
    throw cause;
  }
};
