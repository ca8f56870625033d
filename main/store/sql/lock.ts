/**
 * One writer per home. The lock is SQLite's own, on a small database beside the real one, held by an open transaction:
 * the operating system frees it when the process ends, however it ends. Never open that file by other means: closing
 * it would drop this process's locks on POSIX systems.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { failWith } from '../../failure.ts';

export type WriterLock = Readonly<{ release: () => void }>;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');

/** Throws store_locked with the holder's process id. */
export const takeWriterLock = (home: string): WriterLock => {
  const db = new Database(join(home, 'writer.lock'), { timeout: 0 });
  try {
    // Nothing in it needs to outlive the process.
    db.pragma('synchronous = OFF');
    // Two steps: the holder's row must be committed to be readable by those that find the lock taken.
    db.exec('BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL); DELETE FROM holder;');
    db.prepare('INSERT INTO holder VALUES (?)').run(process.pid);
    db.exec('COMMIT; BEGIN IMMEDIATE;');
  } catch (error) {
    const pid = isBusy(error) ? holderOf(db) : null;
    db.close();
    if (isBusy(error)) failWith('store_locked', { path: home, pid }, { cause: error });
    throw error;
  }
  return { release: () => db.close() };
};

const holderOf = (db: Database.Database): number | null => {
  try {
    return db.prepare<[], number>('SELECT pid FROM holder').pluck().get() ?? null;
  } catch {
    return null;
  }
};
