/** Where the sockets of one home live: a private folder, or the pipe namespace on Windows. */
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** sun_path holds 108 bytes on Linux and 104 on macOS, with the closing zero. */
const maxSocketPath = 103;

const nameOf = (home: string): string => `vouch-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;

const socketPathIn = (dir: string, unique: string): string => join(dir, `${unique}.sock`);
const unique = (): string => randomBytes(6).toString('hex');
const fits = (dir: string): boolean => Buffer.byteLength(socketPathIn(dir, unique())) <= maxSocketPath;

/**
 * Makes sure that the folder is there, is ours and is closed to others; throws if somebody else made it. Where the base
 * folder's path is too long for a socket, /tmp is used.
 */
export const openRuntimeDir = (home: string, base: string = process.env.XDG_RUNTIME_DIR || tmpdir()): string => {
  const wanted = join(base, nameOf(home));
  const dir = process.platform === 'win32' || fits(wanted) ? wanted : join('/tmp', nameOf(home));
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const found = lstatSync(dir);
  const uid = process.getuid?.();
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid))
    throw new Error(`${dir} belongs to somebody else`);
  if (process.platform !== 'win32') chmodSync(dir, 0o700);
  return dir;
};

/** A fresh socket address in a runtime folder. */
export const newSocketPath = (runtimeDir: string): string => {
  if (process.platform === 'win32') return `\\\\.\\pipe\\${nameOf(runtimeDir)}-${unique()}`;
  if (!fits(runtimeDir)) throw new Error(`the runtime folder's path is too long for a socket: ${runtimeDir}`);
  return socketPathIn(runtimeDir, unique());
};
