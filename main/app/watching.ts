/**
 * Follows folders for as long as it is open, by day and by night: what arrives is judged, and what was finished is told
 * of once things are calm. The window and `vouch watch` differ only in which folders, and in what they do with the events.
 */
import type { WatchState } from '../contract/folder.ts';
import { rootAt } from '../library/folders.ts';
import { keepNightly } from '../library/nightly.ts';
import { watchArrivals } from '../library/watch/arrivals.ts';
import { openWorkDigest } from '../library/work-digest.ts';
import { everything, type LibraryService } from './library-service.ts';

type WatchingOptions = Readonly<{
  /** Paths of the registered folders to follow. */
  folders: () => Promise<readonly string[]>;
  /** Which folders are looked through each night; none named: all of the library. */
  nightly: readonly string[];
}>;

export type Watching = Readonly<{
  state: (folder: string) => WatchState | null;
  /** Whether any folder is watched. */
  active: () => boolean;
  busy: () => boolean;
  /** Folders or their settings have changed. */
  refresh: () => Promise<void>;
  /** Does something between two batches of arrivals. */
  quiet: (work: () => Promise<void>) => Promise<void>;
  close: () => Promise<void>;
}>;

/** Work is finished when nothing happened for so long. */
const calmMs = 2000;

export const openWatching = (library: LibraryService, { folders, nightly }: WatchingOptions): Watching => {
  const { core, store, events, runs } = library;
  const stop = new AbortController();
  let watched = 0;
  const failed = (error: unknown) => {
    if (stop.signal.aborted) return;
    core.telemetry.emit('watch_failed', { error: String(error) });
    events.emit('failed', error);
  };

  const watch = watchArrivals({
    ...{ core, store, signal: stop.signal, judging: library.judging },
    statements: library.statements.of,
    reconcile: async ({ path }) => {
      if ((await library.statements.of(path)).length > 0) await runs.through({ ...everything, folderIds: [path] });
    },
    onJudged: (photoIds) => {
      events.emit('judged', photoIds);
      events.emit('verdictsChanged');
      events.emit('foldersChanged');
    },
    onQuarantined: (files) => {
      events.emit('quarantined', files);
      events.emit('quarantineChanged');
    },
    onGone: (paths) => {
      events.emit('gone', paths);
      events.emit('foldersChanged');
      events.emit('quarantineChanged');
    },
    onState: (folder, state) => {
      core.telemetry.emit('watch_state', { folder, ...state });
      events.emit('folderState', folder, state);
      events.emit('foldersChanged');
    },
    onFailed: failed,
  });
  const busy = () => runs.active() || watch.busy();
  const digest = openWorkDigest(busy, calmMs, (work) => void events.emit('workFinished', work));
  events.on('judged', digest.judged);
  events.on('quarantined', (files) => digest.quarantined(files.length));
  const nightlyWork = keepNightly(store, () => runs.through({ ...everything, folderIds: nightly }), failed);

  return {
    state: watch.state,
    active: () => watched > 0,
    busy: watch.busy,
    refresh: async () => {
      const [known, paths] = await Promise.all([store.folders.list(), folders()]);
      watched = paths.length;
      await watch.follow(paths.map((path) => rootAt(path, known)));
    },
    quiet: watch.quiet,
    close: async () => {
      stop.abort();
      nightlyWork.close();
      digest.close();
      await watch.close();
    },
  };
};
