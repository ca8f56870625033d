/** Online backups, and putting one back. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { failWith } from '../../failure.ts';
import { backupFolder } from '../backup-files.ts';
import { saysCorrupt } from '../errors.ts';
import type { BackupResult } from '../types.ts';
import { applicationId, type Db, databaseFile, integrityProblems, stamp } from './connection.ts';
import { appliedMigrations, pendingMigrations } from './migrate.ts';
import type { Migration } from './migrations/index.ts';

/** Copies while others may read and write; the file appears under its name only when it is whole. */
export const backupTo = async (db: Db, file: string): Promise<BackupResult> => {
  const target = resolve(file);
  const partial = `${target}.partial`;
  mkdirSync(dirname(target), { recursive: true });
  rmSync(partial, { force: true });
  try {
    await db.backup(partial);
    // A backup is one file: no write-ahead log may belong to it.
    const copy = new Database(partial);
    copy.pragma('journal_mode = DELETE');
    copy.close();
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  return { file: target, bytes: statSync(target).size };
};

export const backupHome = (db: Db, home: string, label: string): Promise<BackupResult> =>
  backupTo(db, join(backupFolder(home), `vouch-${stamp()}${label && `-${label}`}.db`));

/** Copies a checked backup beside the database, ready to be put in its place. */
export const stageRestore = async (home: string, file: string, known: readonly Migration[]): Promise<string> => {
  if (!existsSync(file)) failWith('file_missing', { path: file });
  if (!statSync(file).isFile()) failWith('not_a_backup', { path: file, detail: 'not a file' });
  const staged = `${databaseFile(home)}.incoming`;
  let source: Db | undefined;
  try {
    source = new Database(file, { readonly: true, fileMustExist: true });
    if (source.pragma('application_id', { simple: true }) !== applicationId || !appliedMigrations(source).length) {
      failWith('not_a_backup', { path: file, detail: 'not a database of Vouch' });
    }
    const problem = integrityProblems(source, true)[0];
    if (problem) failWith('not_a_backup', { path: file, detail: problem });
    pendingMigrations(source, known);
    await backupTo(source, staged);
  } catch (error) {
    if (saysCorrupt(error)) failWith('not_a_backup', { path: file, detail: 'it is damaged' }, { cause: error });
    throw error;
  } finally {
    source?.close();
  }
  return staged;
};

/** Both databases must be closed. Returns where the old one was put. */
export const swapIn = (home: string, staged: string): string => {
  const file = databaseFile(home);
  const aside = `${file}.before-restore-${stamp()}`;
  for (const suffix of ['', '-wal', '-shm']) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  renameSync(staged, file);
  return aside;
};
