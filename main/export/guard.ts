/** Where nothing may be written that a person asks for: over a photo, and over what is Vouch's own. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { vouchError } from '../contract/errors.ts';
import { VouchFailure } from '../failure.ts';
import type { Home } from '../home.ts';
import { isImageFile } from '../library/walk.ts';

const real = (path: string): Promise<string> => realpath(path).catch(() => path);

/** Everything in a home but new files beside the database and among the backups. */
const isVouchs = (path: string, isThere: boolean, home: Home, root: string): boolean => {
  const [first = '', ...rest] = relative(root, path).split(sep);
  if (first === '..' || first.startsWith(sep)) return false;
  const names = [home.settings, home.token, home.logs, home.previews, home.packs, home.graphs, home.bench].map((own) =>
    basename(own),
  );
  // Beside the database lie its log, its lock, and what a restore sets aside.
  if (names.includes(first) || first.startsWith(basename(home.database)) || first.startsWith('writer.lock'))
    return true;
  return isThere && first === basename(home.backups) && rest.length > 0;
};

/**
 * The absolute path; rejects with `export_over_photo` for one that is an image now and with `export_over_home` for one
 * that belongs to Vouch, whatever links lead to it.
 */
export const safeOutput = async (out: string, home: Home): Promise<string> => {
  const path = resolve(out);
  const there = await stat(path).catch(() => null);
  const target = there ? await real(path) : join(await real(dirname(path)), basename(path));
  if (isVouchs(target, there !== null, home, await real(home.root))) {
    throw new VouchFailure(vouchError('export_over_home', { path }));
  }
  if (there?.isFile() && ((await isImageFile(path)) || (await isImageFile(target)))) {
    throw new VouchFailure(vouchError('export_over_photo', { path }));
  }
  return path;
};
