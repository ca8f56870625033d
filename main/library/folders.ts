/** The library's folders as work needs them: with their rules, and only those that can be reached. */
import { sep } from 'node:path';
import { defaultFolderSettings, readFolderSettings } from '../contract/folder.ts';
import type { FolderRecord, Store } from '../store/types.ts';
import { presenceOf } from './presence.ts';
import { type Rules, rulesOf } from './rules.ts';

export type Root = Readonly<{ path: string; rules: Rules }>;

export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** The innermost of the folders that holds a path. */
export const holderOf = <Folder extends Readonly<{ path: string }>>(
  path: string,
  folders: readonly Folder[],
): Folder | undefined =>
  folders
    .filter((folder) => isBelow(path, folder.path))
    .reduce<Folder | undefined>(
      (inner, folder) => (inner && inner.path.length > folder.path.length ? inner : folder),
      undefined,
    );

const deviceOf = ({ settings }: Pick<FolderRecord, 'settings'>): string | null =>
  typeof settings.device === 'string' ? settings.device : null;

/** A registered folder by its settings, any other by the defaults. */
export const rootAt = (path: string, folders: readonly FolderRecord[]): Root => {
  const folder = folders.find((known) => known.path === path);
  return { path, rules: rulesOf(path, folder ? readFolderSettings(folder.settings) : defaultFolderSettings) };
};

/** Looks whether a registered folder can be reached, and notes a change. The device it lies on is noted with it. */
export const notePresence = async (store: Store, folder: FolderRecord): Promise<'ok' | 'offline'> => {
  const presence = await presenceOf(store, folder.path, deviceOf(folder));
  const moved = presence.state === 'ok' && presence.device !== deviceOf(folder);
  if (presence.state !== folder.state || moved) {
    await store.folders.upsert(folder.path, {
      state: presence.state,
      ...(moved && { settings: { device: presence.device } }),
    });
  }
  return presence.state;
};
