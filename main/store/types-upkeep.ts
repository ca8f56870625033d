/** Folders, runs, settings, and the care of the database itself. */
import type { RunKey } from './keys.ts';

export type FolderRecord = Readonly<{
  path: string;
  watched: boolean;
  set: string | null;
  /** Whatever main/library keeps per folder. */
  settings: Readonly<Record<string, unknown>>;
  state: 'ok' | 'offline';
  addedAt: number;
  scannedAt: number | null;
}>;
export type FolderCounts = FolderRecord & Readonly<{ photos: number; quarantined: number }>;

export type FolderOperations = {
  /** Adds the folder or changes the fields given, and of `settings` the entries given. */
  upsert(
    path: string,
    fields: Partial<Pick<FolderRecord, 'watched' | 'set' | 'settings' | 'state' | 'scannedAt'>>,
  ): FolderRecord;
  /** Forgets the folder, not its photos. */
  remove(path: string): boolean;
  list(): readonly FolderCounts[];
};

export type RunState = 'running' | 'done' | 'interrupted' | 'failed';
export type RunRecord = Readonly<{
  key: RunKey;
  id: string;
  kind: string;
  state: RunState;
  startedAt: number;
  finishedAt: number | null;
  params: Readonly<Record<string, unknown>>;
  counts: Readonly<Record<string, number>>;
}>;

export type RunOperations = {
  /**
   * `id`: a UUIDv7 that the run goes by already; a new one where it is left out. Runs that a killed process left running
   * are marked interrupted when the store opens.
   */
  begin(kind: string, params: Readonly<Record<string, unknown>>, id?: string): RunRecord;
  finish(run: RunKey, state: Exclude<RunState, 'running'>, counts: Readonly<Record<string, number>>): void;
  /** The newest first. */
  list(limit: number): readonly RunRecord[];
};

export type SettingOperations = {
  /** The JSON value last set, or null. */
  get(name: string): unknown;
  set(name: string, value: unknown): void;
};

export type CheckResult = Readonly<{ ok: boolean; problems: readonly string[] }>;
export type BackupResult = Readonly<{ file: string; bytes: number }>;
type StoreFigures = Readonly<{
  bytes: number;
  photos: number;
  verdicts: number;
  pairs: number;
  schema: string;
  journalMode: string;
}>;

export type UpkeepOperations = {
  /** SQLite's own check, foreign keys, one current verdict per key, and counts that match their rows. */
  check(): CheckResult;
  /** An online copy; to VOUCH_HOME/backups when no file is given. */
  backup(file?: string): Promise<BackupResult>;
  /** Puts a backup in place of the database; what was there is set aside as `setAside`. */
  restore(file: string): Promise<BackupResult & Readonly<{ setAside: string }>>;
  /** Removes all but the newest `keep` backups that the store itself made. */
  pruneBackups(keep: number): number;
  figures(): StoreFigures;
};
