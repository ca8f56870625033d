/** Follows one folder for as long as it is watched: unplugged and back again, with watches or without. */
import { stat } from 'node:fs/promises';
import type { WatchLimit, WatchState } from '../../contract/folder.ts';
import type { FileStat, Store } from '../../store/types.ts';
import { notePresence, type Root } from '../folders.ts';
import { statFile } from '../walk.ts';
import { openSettle } from './settle.ts';
import { type TreeWatch, watchTree } from './tree-watch.ts';

export type WatchTiming = Readonly<{
  /** For how long a file must be left alone before it is judged. */
  settleMs: number;
  /** How often it is looked whether the folder can be reached. */
  presenceMs: number;
  /** Without watches: the least time between two looks through the folder. */
  pollMs: number;
  /** Without watches: looking takes no more than this share of the time. */
  pollShare: number;
}>;
export const defaultTiming: WatchTiming = { settleMs: 1000, presenceMs: 10_000, pollMs: 30_000, pollShare: 0.05 };

type FolderWatchPorts = Readonly<{
  store: Store;
  /** Looks through the whole folder; judges what is new, notes what is gone. */
  reconcile: (root: Root) => Promise<void>;
  settled: (files: readonly FileStat[], gone: readonly string[]) => void;
  state: (state: WatchState) => void;
  failed: (error: unknown) => void;
}>;

export type FolderWatch = Readonly<{
  root: Root;
  touch: (path: string, inMs?: number) => void;
  /** Whether a file is awaited, or the whole folder is being looked through. */
  busy: () => boolean;
  state: () => WatchState;
  /** Whether the folder is there at this moment; notes it when not. */
  reachable: () => Promise<boolean>;
  close: () => Promise<void>;
}>;

/** Changes held at once. When there are more, looking through the folder costs less than remembering them. */
const heldAtMost = 50_000;
/** After a failure, and after more changes than can be held. */
const lookAgainMs = 5000;

export const watchFolder = (root: Root, ports: FolderWatchPorts, timing: WatchTiming): FolderWatch => {
  let state: WatchState = { mode: 'starting' };
  let tree: TreeWatch | undefined;
  let device: bigint | undefined;
  let looking: Promise<void> | undefined;
  let lookTimer: NodeJS.Timeout | undefined;
  let closed = false;

  const tell = (next: WatchState) => {
    state = next;
    ports.state(next);
  };

  const settle = openSettle({
    windowMs: timing.settleMs,
    limit: heldAtMost,
    look: (path) => statFile(path, root.rules.followLinks),
    settled: ports.settled,
  });
  const touch = (path: string, inMs?: number) => {
    if (!settle.touch(path, inMs)) lookThrough(lookAgainMs);
  };

  /** Once, `inMs` from now; requests in between are one. */
  const lookThrough = (inMs: number) => {
    if (closed || lookTimer || looking) return;
    lookTimer = setTimeout(() => {
      lookTimer = undefined;
      const startedAt = performance.now();
      looking = ports
        .reconcile(root)
        .catch(ports.failed)
        .finally(() => {
          looking = undefined;
          const tookMs = performance.now() - startedAt;
          if (state.mode === 'polling') lookThrough(Math.max(timing.pollMs, tookMs / timing.pollShare));
        });
    }, inMs);
  };

  const stopTree = async () => {
    const last = tree;
    tree = undefined;
    await last?.close();
  };
  const startTree = () => {
    tell({ mode: 'starting' });
    tree = watchTree(root, {
      touched: touch,
      ready: () => {
        tell({ mode: 'watching' });
        // What changed while nobody watched.
        lookThrough(0);
      },
      limited: (limit: WatchLimit) => {
        tell({ mode: 'polling', limit });
        lookThrough(0);
      },
      failed: (error) => {
        ports.failed(error);
        lookThrough(lookAgainMs);
      },
    });
  };

  const isPresent = async (): Promise<boolean> => {
    const found = await stat(root.path, { bigint: true }).catch(() => null);
    if (found?.isDirectory() && found.dev === device) return true;
    const folder = (await ports.store.folders.list()).find(({ path }) => path === root.path);
    if (!folder || (await notePresence(ports.store, folder)) === 'offline') return false;
    device = found?.dev;
    return true;
  };
  const check = async () => {
    const present = await isPresent();
    if (closed) return;
    if (!present && state.mode !== 'offline') {
      tell({ mode: 'offline' });
      await stopTree();
    } else if (present && !tree && state.mode !== 'polling') startTree();
  };
  let checking: Promise<void> = Promise.resolve();
  let checkTimer: NodeJS.Timeout | undefined;
  const keepChecking = () => {
    checking = check()
      .catch(ports.failed)
      .finally(() => {
        if (!closed) checkTimer = setTimeout(keepChecking, timing.presenceMs);
      });
  };
  keepChecking();

  return {
    root,
    touch,
    busy: () => settle.size() > 0 || looking !== undefined || lookTimer !== undefined,
    state: () => state,
    reachable: isPresent,
    close: async () => {
      closed = true;
      clearTimeout(checkTimer);
      clearTimeout(lookTimer);
      await checking;
      await Promise.all([stopTree(), settle.close(), looking]);
    },
  };
};
