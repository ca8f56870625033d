/** Whether a folder can be reached now. An unplugged disk or a lost share is no reason to believe its photos deleted. */
import { access, stat } from 'node:fs/promises';
import type { Store } from '../store/types.ts';

export type Presence = Readonly<{ state: 'ok'; device: string } | { state: 'offline' }>;

/** Known photos to look for in a folder that might be the empty place of an unplugged disk. */
const sample = 32;

/**
 * A folder is offline when it cannot be looked into, and also when it lies on another device than at its last scan
 * and none of its photos is there: the empty mount point of a disk that is not mounted.
 */
export const presenceOf = async (store: Store, root: string, deviceBefore: string | null): Promise<Presence> => {
  const found = await stat(root, { bigint: true }).catch(() => null);
  if (!found?.isDirectory()) return { state: 'offline' };
  const device = String(found.dev);
  if (device === deviceBefore) return { state: 'ok', device };
  const known = await store.photos.listPaths(root, null, sample);
  if (known.length === 0) return { state: 'ok', device };
  const states = await Promise.all(known.map(isGone));
  return states.every((gone) => gone) ? { state: 'offline' } : { state: 'ok', device };
};

/** Only "no such file" means gone: a path that may not be looked at is still there. */
export const isGone = async (path: string): Promise<boolean> => {
  try {
    await access(path);
    return false;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    return code === 'ENOENT' || code === 'ENOTDIR';
  }
};
