/** Watches folders and has what arrives judged, one handful after another, while other work may go on beside. */
import type { WatchState } from '../../contract/folder.ts';
import type { FileStat, Store } from '../../store/types.ts';
import type { Root } from '../folders.ts';
import type { Later } from '../scan-types.ts';
import { type FolderWatch, type WatchTiming, watchFolder } from './folder-watch.ts';
import { openPatience } from './patience.ts';

type WatchPorts = Readonly<{
  store: Store;
  /** Judges files that have settled; rejects when none can be judged now (no engine, a full disk). */
  judge: (root: Root, files: readonly FileStat[], later: Later) => Promise<void>;
  /** Looks through a whole folder. */
  reconcile: (root: Root) => Promise<void>;
  /** These files are gone, and noted as such. */
  gone: (paths: readonly string[]) => void;
  state: (folder: string, state: WatchState) => void;
  /** Work failed and is tried again. */
  failed: (error: unknown) => void;
}>;

export type Watch = Readonly<{
  /** Watches these folders from now on, and no others. */
  follow: (roots: readonly Root[]) => Promise<void>;
  state: (folder: string) => WatchState | null;
  /** Whether something has arrived that is not judged yet. */
  busy: () => boolean;
  /** Lets the handful under way end, does the work, and goes on. */
  quiet: (work: () => Promise<void>) => Promise<void>;
  close: () => Promise<void>;
}>;

type Waiting = Readonly<{ watch: FolderWatch; key: string; files: Map<string, FileStat>; gone: Set<string> }>;

const handful = 256;
const firstRetryMs = 2000;
const longestRetryMs = 60_000;

const keyOf = ({ path, rules }: Root): string => JSON.stringify([path, rules.key]);

export const openWatch = (ports: WatchPorts, timing: WatchTiming): Watch => {
  const { store } = ports;
  const watched = new Map<string, Waiting>();
  const patience = openPatience(timing.settleMs);
  let turn: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let retryMs = firstRetryMs;
  let pumping = false;
  let closed = false;

  const judge = async ({ watch, files }: Waiting): Promise<void> => {
    const batch = [...files.values()].slice(0, handful);
    if (batch.length === 0) return;
    const postponed = new Set<string>();
    await ports.judge(watch.root, batch, ({ path }, why) => {
      const inMs = patience.next(path, why);
      if (inMs === null) return false;
      postponed.add(path);
      watch.touch(path, inMs);
      return true;
    });
    for (const file of batch) {
      if (files.get(file.path) === file) files.delete(file.path);
      if (!postponed.has(file.path)) patience.forget(file.path);
    }
  };

  /** After the judging of its time: a photo that moved is at its new place before it leaves the old one. */
  const note = async ({ watch, gone, files }: Waiting): Promise<void> => {
    if (files.size > 0 || gone.size === 0) return;
    const paths = [...gone];
    // Where the folder itself cannot be reached, nothing is believed gone.
    if (!(await watch.reachable())) return gone.clear();
    await store.photos.markGone(paths);
    for (const path of paths) {
      gone.delete(path);
      patience.forget(path);
    }
    ports.gone(paths);
  };

  const work = async (): Promise<void> => {
    for (const waiting of watched.values()) {
      await judge(waiting);
      await note(waiting);
    }
  };
  const hasWork = () => [...watched.values()].some(({ files, gone }) => files.size + gone.size > 0);

  const pump = async (): Promise<void> => {
    if (pumping || retry || closed) return;
    pumping = true;
    try {
      while (hasWork() && !closed) {
        turn = turn.then(work);
        await turn;
      }
      retryMs = firstRetryMs;
    } catch (error) {
      turn = Promise.resolve();
      ports.failed(error);
      retry = setTimeout(() => {
        retry = undefined;
        void pump();
      }, retryMs);
      retryMs = Math.min(longestRetryMs, retryMs * 2);
    } finally {
      pumping = false;
    }
  };

  const start = (root: Root): Waiting => {
    const files = new Map<string, FileStat>();
    const gone = new Set<string>();
    const watch = watchFolder(
      root,
      {
        store,
        reconcile: ports.reconcile,
        state: (state) => ports.state(root.path, state),
        failed: ports.failed,
        settled: (arrived, left) => {
          for (const file of arrived) files.set(file.path, file);
          for (const path of left) {
            files.delete(path);
            gone.add(path);
          }
          void pump();
        },
      },
      timing,
    );
    return { watch, key: keyOf(root), files, gone };
  };

  return {
    follow: async (roots) => {
      const wanted = new Map(roots.map((root) => [root.path, root]));
      const ending: Promise<void>[] = [];
      for (const [path, { watch, key }] of watched) {
        const root = wanted.get(path);
        if (root && keyOf(root) === key) wanted.delete(path);
        else {
          watched.delete(path);
          ending.push(watch.close());
        }
      }
      await Promise.all(ending);
      if (!closed) for (const root of wanted.values()) watched.set(root.path, start(root));
    },
    state: (folder) => watched.get(folder)?.watch.state() ?? null,
    busy: () => hasWork() || [...watched.values()].some(({ watch }) => watch.busy()),
    quiet: (act) => {
      const acted = turn.then(act, act);
      turn = acted.catch(() => undefined);
      return acted;
    },
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await Promise.all([...watched.values()].map(({ watch }) => watch.close()));
      await turn.catch(() => undefined);
    },
  };
};
