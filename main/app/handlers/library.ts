import { realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Handlers } from '../../contract/api.ts';
import { readFolderSettings } from '../../contract/folder.ts';
import type { FolderView, Page, QuarantineItem, Run } from '../../contract/views.ts';
import { quarantineCsv } from '../../export/quarantine-list.ts';
import { isBelow, notePresence } from '../../library/folders.ts';
import type { FolderCounts, QuarantineRecord, Store } from '../../store/types.ts';
import type { AppService } from '../app-service.ts';
import { failWith } from '../errors.ts';
import { samplesFolder } from '../samples.ts';

/** What the shell does outside the core. */
export type LibraryShell = Readonly<{
  pickFolders: () => Promise<readonly string[]>;
  showInFileManager: (path: string) => void;
  /** Where to write a list; null when the dialog was closed. */
  pickPlaceForList: (name: string) => Promise<string | null>;
}>;

/** The real folder that a path means; a file stands for its folder. */
const folderAt = async (path: string): Promise<string> => {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' || error.code === 'ENOTDIR'
      ? failWith('folder_missing', { path })
      : failWith('folder_unreadable', { path, error: error.message }),
  );
  if (!found.isDirectory() && !found.isFile()) failWith('not_a_folder', { path });
  return realpath(found.isDirectory() ? resolve(path) : dirname(resolve(path)));
};

/** The registered folder that is the one given or holds it. */
const holding = async (store: Store, path: string): Promise<string | undefined> =>
  (await store.folders.list()).map((folder) => folder.path).find((folder) => isBelow(path, folder));

const toItem = (item: QuarantineRecord, folders: readonly string[]): QuarantineItem => ({
  id: item.path,
  folderId: folders.find((folder) => isBelow(item.path, folder)) ?? dirname(item.path),
  path: item.path,
  reason: item.reason,
  retryable: item.reason.code !== 'kills_host',
  attempts: item.attempts,
  at: item.at,
});

export const libraryHandlers = (service: AppService, shell: LibraryShell): Handlers['library'] => {
  const { core, store, runs } = service;

  const views = async (): Promise<readonly FolderView[]> => {
    const [folders, waiting] = await Promise.all([store.folders.list(), store.results.wantsReview()]);
    return Promise.all(
      folders.map(async (folder) => {
        const { path, photos, quarantined, scannedAt } = folder;
        return {
          id: path,
          path,
          samples: path === samplesFolder(core),
          present: (await notePresence(store, folder)) === 'ok',
          watched: folder.watched,
          watch: service.watching.state(path),
          setId: folder.set,
          settings: readFolderSettings(folder.settings),
          photos,
          quarantined,
          wantsReview: waiting.find((other) => other.folder === path)?.wantsReview ?? 0,
          lastScanAt: scannedAt,
        };
      }),
    );
  };
  const found = async (id: string): Promise<FolderCounts> =>
    (await store.folders.list()).find(({ path }) => path === id) ?? failWith('not_found', { what: 'folder', id });
  const known = async (id: string): Promise<string> => (await found(id)).path;
  const runOr404 = (id: string, run: Run | undefined): Run => run ?? failWith('not_found', { what: 'run', id });
  const quarantinedAt = async (path: string): Promise<QuarantineRecord> =>
    (await store.quarantine.list(path)).find((item) => item.path === path) ??
    failWith('not_found', { what: 'quarantined', id: path });

  return {
    folders: views,
    pick: () => shell.pickFolders(),
    add: async ({ paths }) => {
      const folders = [...new Set(await Promise.all(paths.map(folderAt)))];
      // All are looked at before any is added.
      for (const path of folders) {
        const parent = await holding(store, path);
        if (parent !== undefined && parent !== path) failWith('folder_inside', { path, parent });
      }
      for (const path of folders) {
        await store.folders.upsert(path, {});
        // What lies below is held by the new folder from now on.
        for (const other of await store.folders.list()) {
          if (other.path !== path && isBelow(other.path, path)) await store.folders.remove(other.path);
        }
      }
      await service.watching.refresh();
      service.events.emit('foldersChanged');
      return (await views()).filter(({ id }) => folders.includes(id));
    },
    configure: async ({ folderId, watched, setId, settings }) => {
      const before = await found(folderId);
      if (setId && !(await store.statements.list({ set: setId })).length)
        failWith('not_found', { what: 'set', id: setId });
      const after = await store.folders.upsert(folderId, {
        ...(watched !== undefined && { watched }),
        ...(setId !== undefined && { set: setId }),
        ...(settings && { settings }),
      });
      const taggingOf = ({ settings: kept }: Pick<FolderCounts, 'settings'>) => readFolderSettings(kept).tagging;
      const rules = ({ settings: kept }: Pick<FolderCounts, 'settings'>) =>
        JSON.stringify({ ...readFolderSettings(kept), tagging: null });
      if (rules(before) !== rules(after) || before.set !== after.set) {
        runs.soon({ folderIds: [folderId], recheck: 'none', retryQuarantined: false });
      }
      if (taggingOf(before) !== taggingOf(after)) await service.tagger.revisit(folderId);
      await service.watching.refresh();
      service.events.emit('foldersChanged');
      return (await views()).find(({ id }) => id === folderId)!;
    },
    removal: async ({ folderId }) => store.results.removal(await known(folderId)),
    remove: async ({ folderId }) => {
      const folder = await known(folderId);
      const removal = await store.results.removal(folder);
      await store.photos.markGone(await store.results.pathsOnlyUnder(folder));
      await store.quarantine.clear((await store.quarantine.list(folder)).map(({ path }) => path));
      await store.folders.remove(folder);
      await service.watching.refresh();
      service.events.emit('foldersChanged');
      service.events.emit('verdictsChanged');
      return removal;
    },
    scan: async ({ folderIds, recheck }) => {
      for (const id of folderIds) await known(id);
      const retryQuarantined = recheck === 'quarantined';
      return runs.soon({
        folderIds,
        recheck: recheck && recheck !== 'quarantined' ? recheck : 'none',
        retryQuarantined,
      });
    },
    pause: async ({ runId }) => runOr404(runId, runs.pause(runId)),
    resume: async ({ runId }) => runOr404(runId, runs.resume(runId)),
    cancel: async ({ runId }) => runOr404(runId, runs.cancel(runId)),
    quarantine: async ({ folderId, cursor, limit }): Promise<Page<QuarantineItem>> => {
      const folders = (await store.folders.list()).map(({ path }) => path);
      const all = await store.quarantine.list(folderId ?? null);
      // Sorted by path, which also continues the list.
      const from = cursor === null ? 0 : all.findIndex(({ path }) => path > cursor);
      const items = from < 0 ? [] : all.slice(from, from + limit).map((item) => toItem(item, folders));
      const more = from >= 0 && from + limit < all.length;
      return { items, next: more ? (items.at(-1)?.id ?? null) : null, total: all.length };
    },
    retry: async ({ ids }) => {
      if (ids.length === 0) return runs.soon({ folderIds: [], recheck: 'none', retryQuarantined: true });
      for (const id of ids) await quarantinedAt(id);
      await store.quarantine.clear(ids);
      service.events.emit('quarantineChanged');
      const folders = (await store.folders.list()).map(({ path }) => path);
      const folderIds = folders.filter((folder) => ids.some((id) => isBelow(id, folder)));
      return runs.soon({ folderIds, recheck: 'none', retryQuarantined: false });
    },
    exportQuarantine: async () => {
      const path = await shell.pickPlaceForList('vouch-quarantine.csv');
      if (path === null) return null;
      const items = await store.quarantine.list(null);
      await writeFile(path, quarantineCsv(items)).catch((error: Error) =>
        failWith('export_failed', { path, detail: error.message }),
      );
      return { path, rows: items.length };
    },
    tagProblems: () => store.tags.problems(),
    retryTags: async () => {
      await service.tagger.retry();
      service.events.emit('tagsChanged');
      return null;
    },
    reveal: async ({ kind, id }) => {
      if (kind === 'folder') shell.showInFileManager(await known(id));
      else if (kind === 'quarantined') shell.showInFileManager((await quarantinedAt(id)).path);
      else shell.showInFileManager((await store.photos.pathOf(id)) ?? failWith('not_found', { what: 'photo', id }));
      return null;
    },
  };
};
