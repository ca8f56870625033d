/** Opening the database file: pragmas, integrity, and what happens to a file that fails its check. */
import { existsSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { failWith } from '../../failure.ts';
import { newestBackup } from '../backup-files.ts';
import { saysCorrupt } from '../errors.ts';

export type Db = Database.Database;

/** Marks a SQLite file as Vouch's own ("Vouc"). */
export const applicationId = 0x566f7563;
/** Up to this size the check at start reads every index; above it, SQLite's quick check. */
const fullCheckBytes = 64 * 1024 * 1024;

export const databaseFile = (home: string): string => join(home, 'vouch.db');
export const stamp = (at: number = Date.now()): string => new Date(at).toISOString().replace(/[:.]/g, '-');

/** Everything wrong with the file, in SQLite's words; empty when it is sound. */
export const integrityProblems = (db: Db, full: boolean): readonly string[] => {
  const rows = db.pragma(full ? 'integrity_check(20)' : 'quick_check(20)') as Readonly<Record<string, string>>[];
  return rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok');
};

export const connect = (file: string, readonly: boolean): Db => {
  const db = new Database(file, { readonly, fileMustExist: readonly, timeout: 5000 });
  try {
    const journal = db.pragma(readonly ? 'journal_mode' : 'journal_mode = WAL', { simple: true });
    if (!readonly && journal !== 'wal') {
      failWith('network_path', { path: dirname(file), type: `journal mode ${journal}` });
    }
    // A commit is one batch, so waiting for the disk costs little, and a power cut loses nothing committed either.
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('cache_size = -65536');
    db.pragma('temp_store = MEMORY');
    db.pragma('journal_size_limit = 67108864');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/** An operation that happens as a whole or not at all. */
export const atomic = <Args extends unknown[], Result>(
  db: Db,
  operation: (...args: Args) => Result,
): ((...args: Args) => Result) => db.transaction(operation);

const checkOwner = (db: Db): readonly string[] => {
  const id = db.pragma('application_id', { simple: true });
  const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;
  return id === applicationId || (id === 0 && tables === 0) ? [] : ['not a database of Vouch'];
};

const setAside = (file: string): string => {
  const aside = `${file}.damaged-${stamp()}`;
  for (const suffix of ['', '-wal', '-shm']) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  return aside;
};

/** Opens for writing and checks. A damaged file is renamed, never overwritten, and the newest backup named. */
export const connectChecked = (home: string): Db => {
  const file = databaseFile(home);
  let db: Db | undefined;
  let problems: readonly string[];
  try {
    db = connect(file, false);
    problems = [...checkOwner(db), ...integrityProblems(db, statSync(file).size <= fullCheckBytes)];
  } catch (error) {
    if (!saysCorrupt(error)) throw error;
    problems = [error instanceof Error ? error.message : String(error)];
  }
  if (db && problems.length === 0) return db;
  db?.close();
  const kept = { setAside: setAside(file), backup: newestBackup(home) };
  return failWith('store_corrupt', { path: home, detail: problems[0] ?? 'it fails its check', ...kept });
};
