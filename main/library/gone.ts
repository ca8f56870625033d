/** Finds what is no longer on disk, without mistaking an unplugged disk for deleted photos. */
import { access } from 'node:fs/promises';
import type { Store } from '../store/types.ts';

const page = 1000;

/** Marks paths under the roots that were not `seen` and are really gone. A root that cannot be reached is offline. */
export const markGone = async (store: Store, roots: readonly string[], seen: ReadonlySet<string>): Promise<void> => {
  for (const root of roots) {
    if (await isGone(root)) continue;
    let after: string | null = null;
    do {
      const paths: readonly string[] = await store.photos.listPaths(root, after, page);
      const gone: string[] = [];
      for (const path of paths) if (!seen.has(path) && (await isGone(path))) gone.push(path);
      if (gone.length > 0) await store.photos.markGone(gone);
      after = paths.length < page ? null : (paths.at(-1) ?? null);
    } while (after !== null);
  }
};

/** Only "no such file" means gone: a path that may not be looked at is still there. */
const isGone = async (path: string): Promise<boolean> => {
  try {
    await access(path);
    return false;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    return code === 'ENOENT' || code === 'ENOTDIR';
  }
};
