/** Files that get their name only once they are whole: whoever reads one never finds half of it. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A new file beside `path`: no other write has its name, and being hidden it wakes no watcher and joins no listing. */
const nameBeside = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);

export type Replacement = Readonly<{
  write: (text: string) => void;
  /** Puts the file in its place, after the disk has it. */
  finish: () => void;
  abandon: () => void;
}>;

/** Writes all of a text to an open file: a single call may take less than it was given. */
export const writeAll = (file: number, text: string): void => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
};

/** A file that is written piece by piece, and takes the place of `path` in the end. */
export const openReplacement = (path: string, mode = 0o666): Replacement => {
  const temporary = nameBeside(path);
  const file = openSync(temporary, 'wx', mode);
  let open = true;
  const close = (): void => {
    if (open) closeSync(file);
    open = false;
  };
  return {
    write: (text) => writeAll(file, text),
    finish: () => {
      fsyncSync(file);
      close();
      renameSync(temporary, path);
    },
    abandon: () => {
      close();
      rmSync(temporary, { force: true });
    },
  };
};

/** `mode` as for a new file, so 0o600 for what only its owner may read. */
export const writeWhole = (path: string, text: string, mode?: number): void => {
  const replacement = openReplacement(path, mode);
  try {
    replacement.write(text);
    replacement.finish();
  } catch (error) {
    replacement.abandon();
    throw error;
  }
};

/** For writers that wait, or that name the file themselves: `write` makes the file of the name that it is given. */
export const replaceBy = async (path: string, write: (temporary: string) => Promise<unknown>): Promise<void> => {
  const temporary = nameBeside(path);
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};
