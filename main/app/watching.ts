/** Follows the watched folders while the app is open, by day and by night. */
import type { Events } from '../contract/api.ts';
import type { WatchState } from '../contract/folder.ts';
import type { Judging } from '../judging/judging.ts';
import { rootAt, statementsFor } from '../library/folders.ts';
import { keepNightly } from '../library/nightly.ts';
import { watchArrivals } from '../library/watch/arrivals.ts';
import type { StatementRecord, Store } from '../store/types.ts';
import type { Core } from './core.ts';

export type WatchingPorts = Readonly<{
  core: Core;
  store: Store;
  judging: () => Promise<Judging>;
  packId: () => string;
  /** Scans folders (all when none are named) and resolves once that has ended. */
  scan: (folderIds: readonly string[]) => Promise<void>;
  tell: (event: Events['library']) => void;
  onJudged: (photoIds: readonly string[]) => void;
  onQuarantined: (files: number) => void;
}>;

export type Watching = Readonly<{
  state: (folder: string) => WatchState | null;
  /** Whether any folder is watched. */
  active: () => boolean;
  busy: () => boolean;
  /** Folders or their settings have changed. */
  refresh: () => Promise<void>;
  /** Does something between two handfuls of arrivals. */
  quiet: (work: () => Promise<void>) => Promise<void>;
  close: () => Promise<void>;
}>;

export const openWatching = (ports: WatchingPorts): Watching => {
  const { core, store, tell } = ports;
  const stop = new AbortController();
  let watched = 0;
  const failed = (error: unknown) => core.telemetry.emit('watch_failed', { error: String(error) });

  const statements = async (path: string): Promise<readonly StatementRecord[]> => {
    const [folders, sets] = await Promise.all([store.folders.list(), store.statements.list()]);
    const folder = folders.find((known) => known.path === path);
    return folder ? statementsFor(folder, sets, ports.packId()) : [];
  };

  const watch = watchArrivals({
    ...{ core, store, statements, signal: stop.signal },
    judging: ports.judging,
    reconcile: async ({ path }) => {
      if ((await statements(path)).length > 0) await ports.scan([path]);
    },
    onJudged: (photoIds) => {
      ports.onJudged(photoIds);
      tell({ changed: 'folders' });
    },
    onQuarantined: (files) => {
      ports.onQuarantined(files.length);
      tell({ changed: 'quarantine' });
    },
    onGone: () => {
      tell({ changed: 'folders' });
      tell({ changed: 'quarantine' });
    },
    onState: (folder, state) => {
      core.telemetry.emit('watch_state', { folder, ...state });
      tell({ changed: 'folders' });
    },
    onFailed: failed,
  });
  const nightly = keepNightly(store, () => ports.scan([]), failed);

  return {
    state: watch.state,
    active: () => watched > 0,
    busy: watch.busy,
    refresh: async () => {
      const folders = await store.folders.list();
      const roots = folders.filter((folder) => folder.watched).map(({ path }) => rootAt(path, folders));
      watched = roots.length;
      await watch.follow(roots);
    },
    quiet: watch.quiet,
    close: async () => {
      stop.abort();
      nightly.close();
      await watch.close();
    },
  };
};
