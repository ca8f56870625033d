/** Where backups lie and what they are called. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupResult } from './types.ts';

/** `madeAt`: UTC milliseconds. */
export type BackupFile = BackupResult & Readonly<{ madeAt: number }>;

export const backupFolder = (home: string): string => join(home, 'backups');
const ours = /^vouch-\d{4}-\d\d-\d\dT[\d-]+Z(-[a-z0-9-]+)?\.db$/;

/** Those that the store made, the newest first. */
export const listBackups = (home: string): readonly BackupFile[] => {
  const folder = backupFolder(home);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => ours.test(name));
  return names
    .sort()
    .reverse()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return { file: join(folder, name), bytes: size, madeAt: mtimeMs };
    });
};

export const newestBackup = (home: string): string | null => listBackups(home)[0]?.file ?? null;

export const pruneBackups = (home: string, keep: number): number => {
  const old = listBackups(home).slice(keep);
  for (const { file } of old) rmSync(file);
  return old.length;
};
