/** Where an export may not be written: over a photo. */
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { vouchError } from '../contract/error.ts';
import { VouchFailure } from '../failure.ts';
import { isImageFile } from '../library/walk.ts';

/** The absolute path; rejects with `export_over_photo` for one that is an image now, whatever links lead to it. */
export const safeOutput = async (out: string): Promise<string> => {
  const path = resolve(out);
  const there = await stat(path).catch(() => null);
  if (!there?.isFile()) return path;
  const real = await realpath(path);
  if ((await isImageFile(path)) || (await isImageFile(real))) {
    throw new VouchFailure(vouchError('export_over_photo', { path }));
  }
  return path;
};
