/**
 * The engine's waiting room: every photo that is ready to be judged waits here until a line has room for it, and comes
 * back here when its line is lost. It keeps the crash rule over all lines together.
 */
import type { Priority } from '../../contract/priority.ts';
import { afterLoss, cleanRecord, HostLost } from '../../hosts/isolation.ts';
import { type LineView, nextGiven, roomOf, trialLine, type WaitingPhoto } from './routing.ts';

export type Routed = Readonly<{ priority: Priority; signal: AbortSignal | undefined }>;

/** What the router needs to know of a line. */
export type RoutedLine = Readonly<{
  /** Resolves when its host is ready; rejects where it cannot be had. */
  up: () => Promise<void>;
  view: () => LineView;
  enter: (priority: Priority) => void;
  leave: (priority: Priority) => void;
}>;

export type Router<L extends RoutedLine> = Readonly<{
  add: (line: L) => void;
  lines: () => readonly L[];
  /**
   * Has a photo tried on a line that has room. The task rejects with `HostLost` when the line's host goes, and is then
   * called again, for the same line or another one.
   */
  run: <T>(photo: Routed, task: (line: L) => Promise<T>) => Promise<T>;
  /** Photos that wait for a line. */
  waiting: () => number;
  /** Photos that may be in the engine at once, besides those that a person waits for. */
  room: () => number;
  /** Call when a line may have got room, or has come up or gone down. */
  changed: () => void;
  /** Turns away whoever waits or comes later, with this error. */
  close: (error: Error) => void;
}>;

type Place<L> = Readonly<{ line: L; priority: Priority; alone: boolean }>;
type Entry<L> = WaitingPhoto & Readonly<{ give: (place: Place<L>) => void; refuse: (error: unknown) => void }>;

type State<L> = {
  /** Photos that image hosts work on at once. */
  readonly decoding: number;
  lines: readonly L[];
  waiting: readonly Entry<L>[];
  /** Lines that are being asked to come up. */
  calling: ReadonlySet<L>;
  /** Where suspects are tried, while there are any. */
  trial: number | null;
  trying: boolean;
  photos: number;
  closed: Error | null;
};

const refuseAll = <L>(state: State<L>, error: unknown): void => {
  const { waiting } = state;
  state.waiting = [];
  for (const { refuse } of waiting) refuse(error);
};

/** Nothing is refused as long as any line is up or may still come up. */
const onUnavailable = <L extends RoutedLine>(state: State<L>, line: L, error: unknown): void => {
  state.calling = new Set([...state.calling].filter((other) => other !== line));
  if (state.calling.size === 0 && !state.lines.some((other) => other.view().up)) refuseAll(state, error);
};

/** A line that gave up tries again once it is wanted and has rested. */
const callUp = <L extends RoutedLine>(state: State<L>): void => {
  for (const line of state.lines) {
    if (line.view().up || state.calling.has(line)) continue;
    state.calling = new Set([...state.calling, line]);
    line.up().then(
      () => {
        state.calling = new Set([...state.calling].filter((other) => other !== line));
        giveOut(state);
      },
      (error) => onUnavailable(state, line, error),
    );
  }
};

const giveOut = <L extends RoutedLine>(state: State<L>): void => {
  for (;;) {
    const { waiting, lines, decoding } = state;
    const views = lines.map((line) => line.view());
    const busy = state.trying;
    state.trial = busy || waiting.some(({ suspect }) => suspect) ? trialLine(views, state.trial) : null;
    const trial = state.trial === null ? null : { line: state.trial, busy };
    const given = nextGiven(waiting, views, trial, decoding);
    if (!given) break;
    const entry = waiting[given.photo]!;
    const line = lines[given.line]!;
    state.waiting = waiting.filter((other) => other !== entry);
    const { priority, suspect } = entry;
    line.enter(priority);
    if (suspect) state.trying = true;
    entry.give({ line, priority, alone: suspect });
  }
  if (state.waiting.length > 0) callUp(state);
};

const leave = <L extends RoutedLine>(state: State<L>, { line, priority, alone }: Place<L>): void => {
  line.leave(priority);
  if (alone) state.trying = false;
  giveOut(state);
};

const enter = <L extends RoutedLine>(
  state: State<L>,
  photo: WaitingPhoto,
  signal: AbortSignal | undefined,
): Promise<Place<L>> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    if (state.closed) throw state.closed;
    const giveUp = () => {
      state.waiting = state.waiting.filter((other) => other !== entry);
      entry.refuse(signal?.reason);
    };
    const settle = () => signal?.removeEventListener('abort', giveUp);
    const entry: Entry<L> = {
      ...photo,
      give: (place) => {
        settle();
        resolve(place);
      },
      refuse: (error) => {
        settle();
        reject(error);
      },
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    state.waiting = [...state.waiting, entry];
    giveOut(state);
  });

const run = async <L extends RoutedLine, T>(
  state: State<L>,
  { priority, signal }: Routed,
  task: (line: L) => Promise<T>,
): Promise<T> => {
  state.photos += 1;
  const order = state.photos;
  let record = cleanRecord;
  let entered = enter(state, { order, priority, suspect: false }, signal);
  for (;;) {
    const place = await entered;
    try {
      return await task(place.line);
    } catch (error) {
      if (!(error instanceof HostLost)) throw error;
      record = afterLoss(record, error, place.alone);
      // Back in the queue before its place is free, so that nothing slips in before it.
      entered = enter(state, { order, priority, suspect: record.suspect }, signal);
      entered.catch(() => undefined);
    } finally {
      leave(state, place);
    }
  }
};

/** `decoding`: photos that image hosts work on at once. */
export const createRouter = <L extends RoutedLine>(decoding: number): Router<L> => {
  const state: State<L> = {
    ...{ decoding, lines: [], waiting: [], calling: new Set(), trial: null, trying: false, photos: 0 },
    closed: null,
  };
  return {
    add(line) {
      state.lines = [...state.lines, line];
      giveOut(state);
    },
    lines: () => state.lines,
    run: (photo, task) => run(state, photo, task),
    waiting: () => state.waiting.length,
    room: () =>
      roomOf(
        state.lines.map((line) => line.view()),
        decoding,
      ),
    changed: () => giveOut(state),
    close(error) {
      state.closed = error;
      refuseAll(state, error);
    },
  };
};
