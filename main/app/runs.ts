/** Runs of the app: one at a time, with pause, resume, cancel and a fresh start under new settings. */
import { v7 } from 'uuid';
import type { Run } from '../contract/views.ts';
import {
  type Active,
  newGate,
  newStop,
  openChanges,
  openGate,
  openShown,
  type RunPorts,
  runThrough,
  type Shown,
} from './run-loop.ts';
import {
  askedFor,
  begun,
  cancelled,
  counted,
  ended,
  isDraining,
  isUnderWay,
  paused,
  resumed,
  runWithId,
  type ScanRequest,
} from './run-state.ts';

export type Runs = Readonly<{
  current: () => Run | null;
  active: () => boolean;
  start: (request: ScanRequest) => Run;
  /**
   * As start, but after the active run where there is one; several requests become one run. Resolves with the run to
   * look at: the active one, or, where that one was cancelled and only drains, the next.
   */
  soon: (request: ScanRequest) => Promise<Run>;
  /** As soon, until the run that does it is over; rejects with what made it fail. */
  through: (request: ScanRequest) => Promise<void>;
  /** undefined: no such run. */
  pause: (id: string) => Run | undefined;
  resume: (id: string) => Run | undefined;
  cancel: (id: string) => Run | undefined;
  /** Stops the scan under way, lets `change` happen, and goes on with what is left. */
  restart: (change: () => Promise<void>) => Promise<void>;
  close: () => Promise<void>;
}>;

const changedEveryMs = 1000;
const nothing = (): void => undefined;

/** Counts the growing verdicts beside the scan, more rarely the longer the counting takes; gives what ends it. */
const watchCounts = (ports: RunPorts, shown: Shown, folderIds: readonly string[]): (() => void) => {
  let over = false;
  const count = async () => {
    const start = performance.now();
    const verdicts = await ports.verdicts(folderIds).catch(() => null);
    if (over) return;
    if (verdicts) shown.set(counted(shown.now(), verdicts));
    ports.onVerdicts();
    timer = setTimeout(count, Math.max(changedEveryMs, 10 * (performance.now() - start)));
  };
  let timer = setTimeout(count, changedEveryMs);
  return () => {
    over = true;
    clearTimeout(timer);
  };
};

type Controls = Pick<Runs, 'pause' | 'resume' | 'cancel'>;

/** `giveUp`: what was asked for meanwhile does not come. */
const controlsOf = (shown: Shown, active: () => Active | undefined, giveUp: () => void): Controls => ({
  pause: (id) => {
    const next = paused(shown.now(), id);
    const own = active();
    if (own && next !== shown.now()) {
      own.gate = newGate();
      shown.set(next, true);
    }
    return runWithId(shown.now(), id);
  },
  resume: (id) => {
    shown.set(resumed(shown.now(), id), true);
    if (shown.now().run?.status === 'running') openGate(active());
    return runWithId(shown.now(), id);
  },
  cancel: (id) => {
    const run = runWithId(shown.now(), id);
    const own = active();
    if (own && run) {
      own.stop.abort();
      openGate(own);
      shown.set(cancelled(shown.now(), id), true);
      giveUp();
    }
    return runWithId(shown.now(), id);
  },
});

export const openRuns = (ports: RunPorts): Runs => {
  const shown = openShown(ports.onChange);
  const changes = openChanges();
  let active: Active | undefined;
  let closing = false;
  /** Who waits for the next run to begin; null: it does not come. */
  let waiting: ((next: Active | null) => void)[] = [];
  const tellWaiting = (next: Active | null) => {
    const those = waiting;
    waiting = [];
    for (const resolve of those) resolve(next);
  };

  const over = (status: 'done' | 'cancelled' | 'failed', cause: unknown) => {
    active = undefined;
    shown.set(ended(shown.now(), status, status === 'failed' ? ports.explain(cause) : null, Date.now()), true);
    const { run, next } = shown.now();
    ports.onVerdicts();
    if (run) ports.onEnd(run);
    if (next && !closing) begin(next);
  };

  const begin = (request: ScanRequest): Active => {
    const id = v7();
    const own: Active = { stop: newStop(), drained: Promise.resolve(), over: Promise.resolve(), gate: null };
    active = own;
    shown.set({ ...begun(shown.now(), request, id, Date.now()), next: null }, true);
    const uncount = watchCounts(ports, shown, request.folderIds);
    own.over = runThrough({ ports, shown, changes, closing: () => closing }, own, id, request)
      .finally(uncount)
      .then(
        (state) => over(state === 'done' ? 'done' : 'cancelled', null),
        (cause) => {
          over('failed', cause);
          throw cause;
        },
      );
    own.over.catch(nothing);
    tellWaiting(own);
    return own;
  };

  const current = (): Run => shown.now().run!;
  const start = (request: ScanRequest): Run => {
    begin(request);
    return current();
  };
  /** The run that will do it. */
  const asked = (request: ScanRequest): Promise<Active | null> => {
    shown.set(askedFor(shown.now(), request));
    return new Promise((resolve) => waiting.push(resolve));
  };

  return {
    current: () => shown.now().run,
    active: () => isUnderWay(shown.now()),
    start,
    soon: async (request) => {
      if (!active) return start(request);
      const coming = asked(request);
      if (isDraining(shown.now())) await coming;
      return current();
    },
    through: async (request) => {
      const own = active ? await asked(request) : begin(request);
      await own?.over;
    },
    ...controlsOf(
      shown,
      () => active,
      () => tellWaiting(null),
    ),
    restart: (change) => {
      active?.stop.abort();
      // What a scan still stores needs what the change takes away, so the change waits for it.
      return changes.add(active?.drained, change);
    },
    close: async () => {
      closing = true;
      active?.stop.abort();
      openGate(active);
      tellWaiting(null);
      await active?.over.catch(nothing);
      shown.close();
    },
  };
};
