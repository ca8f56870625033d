/**
 * Reads a photo's bytes without ever waiting on what is no regular file, or trusting a file that is being written.
 * Synchronously: the threads that would serve asynchronous calls are busy decoding, and the process has no other duty.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isGarbled, stampOf } from '../kinds.ts';
import { PhotoError } from './failure.ts';

export type FileBytes = Readonly<{ bytes: Uint8Array<ArrayBuffer>; mtimeMs: number; inode: string }>;

/** Errors of the moment: another try may succeed without the file's changing. */
const passing = new Set(['EAGAIN', 'EBUSY', 'EINTR', 'EMFILE', 'ENFILE', 'ENOMEM', 'ETIMEDOUT', 'EIO']);
const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'a link that leads back to itself',
  ENAMETOOLONG: 'the name is too long',
};

const ofSystemError = (error: unknown, path: string): PhotoError => {
  if (error instanceof PhotoError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && isGarbled(path)) {
    return new PhotoError({ code: 'unreadable', params: { error: 'its name is not written in UTF-8; rename it' } });
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') return new PhotoError({ code: 'vanished', params: {} });
  return new PhotoError({ code: 'unreadable', params: { error: words[code] ?? message } }, passing.has(code));
};

const readAll = (file: number, maxBytes: number): FileBytes => {
  const before = fstatSync(file, { bigint: true });
  if (!before.isFile()) {
    const what = before.isDirectory() ? 'a folder' : 'a device, pipe or socket';
    throw new PhotoError({ code: 'unreadable', params: { error: `${what}, not a file` } });
  }
  const size = Number(before.size);
  if (size === 0) throw new PhotoError({ code: 'empty_file', params: {} });
  if (size > maxBytes) throw new PhotoError({ code: 'too_many_bytes', params: { bytes: size, limit: maxBytes } });
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const bytesRead = readSync(file, bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  const after = fstatSync(file, { bigint: true });
  if (filled < size || after.size !== before.size || after.mtimeNs !== before.mtimeNs) {
    throw new PhotoError({ code: 'still_changing', params: {} }, true);
  }
  return { bytes, ...stampOf(before) };
};

/** Reads all of a file of 1 to `maxBytes` bytes; throws a PhotoError that says why not. */
export const readPhotoFile = (path: string, maxBytes: number): FileBytes => {
  let file: number | undefined;
  try {
    // Not to wait for a writer where the path is a pipe.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return readAll(file, maxBytes);
  } catch (error) {
    throw ofSystemError(error, path);
  } finally {
    if (file !== undefined) closeSync(file);
  }
};
