/** Writes what a format yields, in one step as far as a reader of the file can tell. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type VouchError, vouchError } from '../contract/error.ts';

/** A piece of a file, and how many rows it holds. */
export type Written = Readonly<{ text: string; rows: number }>;

export type Output = Readonly<{ write: (text: string) => void; finish: () => void; abandon: () => void }>;

/** What a failure to write to this path is told as. */
export const writeFailure = (path: string, cause: unknown): VouchError => {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return vouchError('disk_full', { path }, true);
  return vouchError('export_failed', { path, detail: message });
};

/** A pipe or a device is written to as it is; a file is replaced once its successor is complete. */
export const openOutput = (path: string): Output => {
  const direct = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  const place = direct ? path : join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  const file = openSync(place, 'w');
  const write = (text: string): void => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  };
  let open = true;
  const close = (): void => {
    if (open) closeSync(file);
    open = false;
  };
  return {
    write,
    finish: () => {
      if (!direct) fsyncSync(file);
      close();
      if (!direct) renameSync(place, path);
    },
    abandon: () => {
      close();
      if (!direct) rmSync(place, { force: true });
    },
  };
};
