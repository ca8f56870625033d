/**
 * Who uses the private socket folders: each user leaves a file with its process id in its name, so that the last one
 * out removes the folder, and the next one in removes those whose users were killed.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openRuntimeDir } from './runtime-dir.ts';

export type RuntimeClaim = Readonly<{ dir: string; close: () => void }>;

const folderName = /^vouch-[0-9a-f]{16}$/;
const ownerName = /^(\d+)-[0-9a-f]+\.owner$/;
/** Between making a folder and claiming it, it has no owner; ms. */
const unclaimedGraceMs = 60_000;

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

const isStale = (dir: string): boolean => {
  const found = lstatSync(dir);
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) return false;
  const owners = readdirSync(dir).flatMap((name) => ownerName.exec(name)?.[1] ?? []);
  if (owners.length === 0) return Date.now() - found.mtimeMs > unclaimedGraceMs;
  return !owners.some((pid) => isRunning(Number(pid)));
};

/** Removes the socket folders beside `dir` whose users are all gone. */
const sweep = (base: string): void => {
  for (const name of readdirSync(base)) {
    if (!folderName.test(name)) continue;
    const dir = join(base, name);
    try {
      if (isStale(dir)) rmSync(dir, { recursive: true, force: true });
    } catch {
      // Somebody else was quicker, or it is not ours to look into.
    }
  }
};

/** As `openRuntimeDir`, until closed. */
export const claimRuntimeDir = (home: string, base?: string): RuntimeClaim => {
  sweep(dirname(openRuntimeDir(home, base)));
  const dir = openRuntimeDir(home, base);
  const owner = join(dir, `${process.pid}-${randomBytes(4).toString('hex')}.owner`);
  writeFileSync(owner, '', { mode: 0o600 });
  return {
    dir,
    close: () => {
      rmSync(owner, { force: true });
      try {
        rmdirSync(dir);
      } catch {
        // Somebody else still uses it.
      }
    },
  };
};
