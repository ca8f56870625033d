/** Hears of changes in one folder tree through chokidar, as long as the system has watches to give. */
import { realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { watch } from 'chokidar';
import type { WatchLimit } from '../../contract/folder.ts';
import type { Root } from '../folders.ts';

type TreeWatchPorts = Readonly<{
  /** A file appeared, changed or went. */
  touched: (path: string) => void;
  /** Everything is watched: from now on no change is missed. */
  ready: () => void;
  /** Watching has ended for want of watches. */
  limited: (limit: WatchLimit) => void;
  failed: (error: Error) => void;
}>;

export type TreeWatch = Readonly<{ close: () => Promise<void> }>;

/** A folder for each watch; with more of them than this, looking through the tree from time to time costs less. */
const maxWatchedFolders = 50_000;

const limitOf = (error: unknown): WatchLimit | null => {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOSPC') return 'watches';
  return code === 'EMFILE' || code === 'ENFILE' || code === 'EBADF' ? 'files' : null;
};

/** Whether a folder is reached through a link from inside itself. */
const leadsBack = (folder: string, root: string): boolean => {
  const real = realpathSync(folder);
  for (let above = dirname(folder); above.length >= root.length; above = dirname(above)) {
    if (realpathSync(above) === real) return true;
    if (above === root) break;
  }
  return false;
};

const isIgnored = ({ path: root, rules }: Root, path: string, stats: Stats | undefined): boolean => {
  if (path === root) return false;
  if (!rules.enters(path)) return true;
  if (stats?.isFile()) return !rules.takes(path);
  try {
    return rules.followLinks && leadsBack(path, root);
  } catch {
    return false;
  }
};

export const watchTree = (root: Root, ports: TreeWatchPorts): TreeWatch => {
  let closed = false;
  let folders = 0;
  const watcher = watch(root.path, {
    ignoreInitial: false,
    ignorePermissionErrors: true,
    followSymlinks: root.rules.followLinks,
    // Renames are told apart by content, later; a file that goes and comes back is one change either way.
    atomic: false,
    ignored: (path, stats) => isIgnored(root, path, stats),
  });
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await watcher.close();
  };
  const limited = (limit: WatchLimit) => {
    if (closed) return;
    void close();
    ports.limited(limit);
  };
  let ready = false;
  const touched = (path: string) => {
    if (ready && !closed) ports.touched(path);
  };
  watcher
    .on('add', touched)
    .on('change', touched)
    .on('unlink', touched)
    .on('addDir', () => {
      folders++;
      if (folders > maxWatchedFolders) limited('watches');
    })
    .on('unlinkDir', () => folders--)
    .on('ready', () => {
      ready = true;
      if (!closed) ports.ready();
    })
    .on('error', (error) => {
      const limit = limitOf(error);
      if (limit) limited(limit);
      else if (!closed) ports.failed(error instanceof Error ? error : new Error(String(error)));
    });
  return { close };
};
