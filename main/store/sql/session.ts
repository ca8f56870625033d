/** Opening a home: lock, check, migrate; and closing it. Runs in the store's worker. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { fail } from '../errors.ts';
import type { StoreOperations } from '../types.ts';
import { backupHome, stageRestore, swapIn } from './backup.ts';
import { connect, connectChecked, type Db, databaseFile } from './connection.ts';
import { takeWriterLock, type WriterLock } from './lock.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { type Migration, migrations } from './migrations/index.ts';
import { findNetworkType } from './network-path.ts';
import { storeOperations } from './operations.ts';
import { markInterruptedRuns } from './runs.ts';

export type StoreSession = Readonly<{
  file: string;
  /** Another object after a restore. */
  operations: () => StoreOperations;
  close: () => void;
}>;

/** A kill in the middle of a restore leaves the checked copy beside an empty place. */
const finishRestore = (home: string): void => {
  const file = databaseFile(home);
  const staged = `${file}.incoming`;
  if (!existsSync(staged)) return;
  if (existsSync(file)) rmSync(staged);
  else renameSync(staged, file);
};

const openMigrated = async (home: string, known: readonly Migration[]): Promise<Db> => {
  const db = connectChecked(home);
  try {
    await migrate(db, known, (label) => backupHome(db, home, label));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

const closeDb = (db: Db): void => {
  if (!db.open) return;
  if (!db.readonly) db.pragma('optimize');
  db.close();
};

const openWriting = async (home: string, known: readonly Migration[]): Promise<StoreSession> => {
  mkdirSync(home, { recursive: true });
  const lock: WriterLock = takeWriterLock(home);
  const restore: StoreOperations['upkeep']['restore'] = async (file) => {
    const staged = await stageRestore(home, file, known);
    closeDb(db);
    try {
      const setAside = swapIn(home, staged);
      return { file: databaseFile(home), bytes: statSync(databaseFile(home)).size, setAside };
    } finally {
      db = await openMigrated(home, known);
      operations = storeOperations(db, home, restore);
    }
  };
  let db: Db;
  let operations: StoreOperations;
  try {
    finishRestore(home);
    db = await openMigrated(home, known);
    markInterruptedRuns(db);
    operations = storeOperations(db, home, restore);
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    file: databaseFile(home),
    operations: () => operations,
    close: () => {
      closeDb(db);
      lock.release();
    },
  };
};

const openReading = async (home: string, known: readonly Migration[]): Promise<StoreSession> => {
  const file = databaseFile(home);
  if (!existsSync(file)) fail('store_missing', { file });
  let db = connect(file, true);
  if (pendingMigrations(db, known).length > 0) {
    db.close();
    (await openWriting(home, known)).close();
    db = connect(file, true);
  }
  const operations = storeOperations(db, home, () => fail('read_only'));
  return { file, operations: () => operations, close: () => closeDb(db) };
};

/** Throws a StoreFailure, or what SQLite or the file system threw. */
export const openStoreSession = async (
  home: string,
  mode: 'read' | 'write',
  known: readonly Migration[] = migrations,
): Promise<StoreSession> => {
  const type = findNetworkType(home);
  if (type) fail('network_path', { path: home, type });
  return mode === 'write' ? openWriting(home, known) : openReading(home, known);
};
