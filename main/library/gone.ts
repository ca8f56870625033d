/** Finds what is no longer on disk, without mistaking an unplugged disk for deleted photos. */
import type { Store } from '../store/types.ts';
import { holderOf, isBelow, notePresence, type Root } from './folders.ts';
import { isGone } from './presence.ts';

const page = 1000;

/**
 * Marks paths under the roots that were not `seen` and are really gone, or that their folder no longer takes. A root
 * that cannot be reached is offline: nothing of it is touched.
 */
export const markGone = async (store: Store, roots: readonly Root[], seen: ReadonlySet<string>): Promise<void> => {
  const folders = await store.folders.list();
  for (const root of roots) {
    const folder = folders.find(({ path }) => path === root.path);
    if (folder ? (await notePresence(store, folder)) === 'offline' : await isGone(root.path)) continue;
    const inner = folders.filter(({ path }) => path !== root.path && isBelow(path, root.path));
    const isDropped = (path: string) => !root.rules.takes(path) && !holderOf(path, inner);
    let after: string | null = null;
    do {
      const paths: readonly string[] = await store.photos.listPaths(root.path, after, page);
      const gone: string[] = [];
      for (const path of paths) if (!seen.has(path) && (isDropped(path) || (await isGone(path)))) gone.push(path);
      if (gone.length > 0) await store.photos.markGone(gone);
      after = paths.length < page ? null : (paths.at(-1) ?? null);
    } while (after !== null);
  }
};
