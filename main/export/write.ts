/** Writes what a format yields, in one step as far as a reader of the file can tell. */
import { closeSync, openSync, statSync } from 'node:fs';
import { type VouchError, vouchError } from '../contract/errors.ts';
import { systemDetail, VouchFailure } from '../failure.ts';
import { openReplacement, type Replacement, writeAll } from '../files/write-whole.ts';

/** A piece of a file, and how many rows it holds. */
export type Written = Readonly<{ text: string; rows: number }>;

/** What a failure to write to this path is told as. */
export const writeFailure = (path: string, cause: unknown): VouchError => {
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return vouchError('disk_full', { path });
  return vouchError('export_failed', { path, detail: systemDetail(cause) });
};

/** Fails as an export to this path does. */
export const notWritten =
  (path: string) =>
  (cause: unknown): never => {
    throw new VouchFailure(writeFailure(path, cause), { cause });
  };

const openDirect = (path: string): Replacement => {
  const file = openSync(path, 'w');
  let open = true;
  const close = (): void => {
    if (open) closeSync(file);
    open = false;
  };
  return { write: (text) => writeAll(file, text), finish: close, abandon: close };
};

/** A pipe or a device is written to as it is; a file is replaced once its successor is complete. */
export const openOutput = (path: string): Replacement => {
  const isDirect = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  return isDirect ? openDirect(path) : openReplacement(path);
};
