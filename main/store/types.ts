/**
 * What the store keeps and how it is asked. Every operation is one request to the store's worker; requests are
 * handled one at a time, in the order they were made, each in one transaction.
 *
 * Keys are small integers, only good inside one database; ids are UUIDv7 and may leave it. Times are UTC milliseconds.
 * Hashes are lower-case hex. Failed operations reject with a `StoreFailure`.
 */
import type { Device, Grade, Label, Precision, Probabilities } from '../contract/labels.ts';
import type { DecodedInfo, FileIdentity, QuarantineReason } from '../contract/photo.ts';
import type { Cap, VerdictReason } from '../contract/reason.ts';
import type { StatementEntry, StatementSet } from '../contract/statement.ts';
import type { ResultOperations } from './types-results.ts';
import type { FlagOperations, ReviewOperations } from './types-review.ts';

export type * from './types-results.ts';
export type * from './types-review.ts';

// ---- errors ----

export type StoreErrorCode =
  /** Another process writes this home; `pid` where it is known. */
  | 'store_locked'
  /** The database failed its check; it was set aside as `setAside` (null when reading only). `backup`: the newest one. */
  | 'store_corrupt'
  | 'store_newer'
  | 'network_path'
  | 'disk_full'
  | 'not_writable'
  /** Reading only: there is no database yet. */
  | 'store_missing'
  | 'read_only'
  | 'not_found'
  | 'not_a_backup'
  | 'store_closed'
  | 'unexpected';

export type StoreError = Readonly<{
  code: StoreErrorCode;
  params: Readonly<Record<string, string | number | null>>;
  retryable: boolean;
}>;

// ---- photos, paths and evidence ----

export type PhotoKey = number;
export type StatementKey = number;
export type RunKey = number;

/** A file as a directory listing shows it. */
export type FileStat = Readonly<{ path: string; bytes: number; mtimeMs: number; inode: string }>;

export type PhotoFlags = Readonly<{ damaged: boolean; blurred: boolean; flat: boolean; small: boolean }>;
/** `deviation`: grey standard deviation, null where the prescreen was off. */
export type KnownPhoto = PhotoFlags & Readonly<{ key: PhotoKey; id: string; deviation: number | null }>;

/** Evidence counts as present at any precision when `precision` is null. */
export type EvidenceKey = Readonly<{
  packSha256: string;
  precision: Precision | null;
  inputSize: number;
  preprocessVersion: number;
}>;

/** A verdict is fresh while pack sha256, adapter version and hypothesis hash are all the same. */
export type FreshnessKey = Readonly<{
  packId: string;
  packSha256: string;
  adapterVersion: string;
  statements: readonly Readonly<{ statement: StatementKey; hypothesisHash: string }>[];
}>;

/** Which fresh verdicts count as missing all the same: every one, degraded and timed-out ones, or those of another precision. */
export type Recheck =
  | Readonly<{ kind: 'none' | 'all' | 'degraded' }>
  | Readonly<{ kind: 'precision'; precision: Precision }>;

/** What a scan wants to know about each file. `evidence` null: a joint pack, whose cache is the verdict. */
export type Want = Readonly<{ verdicts: FreshnessKey; evidence: EvidenceKey | null; recheck: Recheck }>;

/** `missing`: statements without a fresh verdict. `evidence`: whether evidence as wanted is stored (false for joint packs). */
export type PathKnown = Readonly<{
  state: 'known';
  photo: KnownPhoto;
  evidence: boolean;
  missing: readonly StatementKey[];
}>;
export type PathState =
  | PathKnown
  /** Never seen, or size, time or inode changed: identify it. */
  | Readonly<{ state: 'unknown' }>
  /** Unchanged since it could not be judged. */
  | Readonly<{ state: 'quarantined'; reason: QuarantineReason; attempts: number }>;

export type IdentifiedFile = Readonly<{ path: string; identity: FileIdentity }>;

/** Everything of a verdict that the policy made, with what it was made from. p is raw: neither calibrated nor capped. */
export type NewVerdict = Readonly<{
  statement: StatementKey;
  hypothesisHash: string;
  p: Probabilities | null;
  caps: readonly Cap[];
  lean: Label | null;
  confidence: number | null;
  grade: Grade;
  label: Label;
  reason: VerdictReason;
  wantsReview: boolean;
}>;

/** What all verdicts of one batch have in common. */
export type Judging = Readonly<{
  run: RunKey | null;
  packId: string;
  packVersion: string;
  packSha256: string;
  adapterVersion: string;
  precision: Precision;
  device: Device;
  degraded: boolean;
  policyVersion: number;
  at: number;
}>;

export type NewEvidence = Readonly<{ inputSize: number; preprocessVersion: number; blob: Uint8Array }>;

/** A photo that came back from the model (or was flat). Evidence is kept under the judging's pack and precision. */
export type JudgedFile = IdentifiedFile &
  Readonly<{ info: DecodedInfo; evidence: NewEvidence | null; verdicts: readonly NewVerdict[] }>;

export type QuarantinedFile = FileStat & Readonly<{ fileHash: string | null; reason: QuarantineReason; at: number }>;
export type QuarantineItem = QuarantinedFile & Readonly<{ attempts: number; firstAt: number }>;

export type PhotoDetail = Readonly<{
  id: string;
  paths: readonly Readonly<{ path: string; alive: boolean; bytes: number; mtimeMs: number }>[];
  fileHash: string;
  imageHash: string;
  format: string;
  bytes: number;
  width: number;
  height: number;
  frames: number;
  damaged: boolean;
  takenAt: string | null;
  camera: string | null;
  hasGps: boolean;
  prescreen: Readonly<{ sharpness: number; deviation: number; blurred: boolean; flat: boolean; small: boolean }> | null;
  addedAt: number;
  verdicts: readonly VerdictItem[];
  history: readonly HistoryEntry[];
}>;

/** Verdicts, reviews and flags of a photo, newest first. */
export type HistoryEntry = Readonly<{
  kind: 'verdict' | 'confirm' | 'override' | 'skip' | 'undo' | 'flag' | 'unflag';
  id: string;
  at: number;
  statement: string | null;
  label: Label | null;
  grade: Grade | null;
  confidence: number | null;
  by: string;
  note: string | null;
}>;

export type PhotoOperations = {
  /** One state per file, in order. Writes nothing. */
  lookup(files: readonly FileStat[], want: Want): readonly PathState[];
  /**
   * For files just identified: notes a known content at its path (a copy, a move, new metadata) and tells its state;
   * 'unknown' content needs decoding and `recordJudged`.
   */
  attach(files: readonly IdentifiedFile[], want: Want): readonly PathState[];
  /** Photos, evidence and verdicts in one transaction; takes the files off quarantine. Returns photo keys, in order. */
  recordJudged(judging: Judging, files: readonly JudgedFile[]): readonly PhotoKey[];
  /** Paths of photos and of quarantined files under a folder (or the file itself), in order, after `after`; at most `limit`. */
  listPaths(under: string, after: string | null, limit: number): readonly string[];
  /** These paths no longer exist; a photo without any path is hidden, with all that is known of it kept. */
  markGone(paths: readonly string[]): number;
  detail(id: string): PhotoDetail | null;
  /** null where no file has this photo now. */
  pathOf(id: string): string | null;
  /** The photo at a path, if it is alive. */
  idAt(path: string): string | null;
};

export type QuarantineOperations = {
  record(files: readonly QuarantinedFile[]): void;
  /** Forgets these entries so that the next scan tries them again; all of them when null. Returns how many. */
  clear(paths: readonly string[] | null): number;
  /** In path order, under a folder when given. */
  list(under: string | null): readonly QuarantineItem[];
};

// ---- statements ----

export type StatementRecord = StatementEntry &
  Readonly<{
    key: StatementKey;
    id: string;
    set: string;
    position: number;
    createdAt: number;
    archivedAt: number | null;
  }>;
export type SetRecord = Readonly<{
  name: string;
  /** The pack whose verdicts count for this set. */
  packId: string | null;
  statements: readonly StatementRecord[];
}>;

export type StatementOperations = {
  /** Makes the set be exactly this: same text and fields = same statement, the others are new or archived. */
  upsertSet(set: StatementSet, packId: string): SetRecord;
  /** As upsertSet, but archives nothing. Returns only the statements given, in order. */
  addTo(setName: string, entries: readonly StatementEntry[], packId: string): readonly StatementRecord[];
  /** Changes which pack's verdicts count. */
  setPack(setName: string, packId: string): void;
  /** Gives a set another name; its statements stay what they are. Rejects with not_found. */
  rename(from: string, to: string): void;
  archive(statements: readonly StatementKey[]): void;
  /** Sets by name; without archived statements unless asked. */
  list(options?: Readonly<{ archived?: boolean; set?: string }>): readonly SetRecord[];
};

// ---- verdicts ----

/** The verdicts of one statement, by column: row i is about `photos[i]`. All columns have the same length. */
export type PackedVerdicts = Readonly<{
  statement: StatementKey;
  hypothesisHash: string;
  photos: Uint32Array;
  /** Raw p; NaN where nothing was judged. */
  pYes: Float64Array;
  pNo: Float64Array;
  pMaybe: Float64Array;
  /** Indexes into `labels` of the contract; 255 where there is none (lean only). */
  lean: Uint8Array;
  label: Uint8Array;
  /** Index into `grades`. */
  grade: Uint8Array;
  /** NaN where nothing was judged. */
  confidence: Float64Array;
  /** 0 or 1. */
  wantsReview: Uint8Array;
  reasonCode: readonly string[];
  /** JSON of the reason's params. */
  reasonParams: readonly string[];
  /** JSON of the caps, null for none. */
  caps: readonly (string | null)[];
}>;

/** 'newest' and 'oldest' go by when the verdict was given; 'uncertain' starts with the least confident. */
export type VerdictOrder = 'newest' | 'oldest' | 'uncertain' | 'path';

export type VerdictFilter = Readonly<{
  /** Effective label. */
  label?: Label;
  grade?: Grade;
  /** Exact text or id of a statement. */
  statement?: string;
  set?: string;
  /** Glob over whole paths, as picomatch reads it. */
  path?: string;
  /** A folder: everything below it. */
  under?: string;
  wantsReview?: boolean;
  reviewed?: boolean;
  damaged?: boolean;
  degraded?: boolean;
  flagged?: boolean;
  /** A person's decision differs from a verdict that came after it. */
  disagrees?: boolean;
  /** Photo id. */
  photo?: string;
}>;

export type VerdictItem = Readonly<{
  id: string;
  photo: string;
  path: string;
  statement: string;
  statementId: string;
  set: string;
  /** The verdict's own label; `effectiveLabel` heeds reviews. */
  label: Label;
  effectiveLabel: Label;
  lean: Label | null;
  p: Probabilities | null;
  confidence: number | null;
  grade: Grade;
  reason: VerdictReason;
  damaged: boolean;
  degraded: boolean;
  flagged: boolean;
  wantsReview: boolean;
  reviewed: boolean;
  model: string;
  precision: Precision;
  device: Device;
  at: number;
}>;

/** `cursor` is what the page before gave as `next`; null starts. */
export type PageRequest = Readonly<{
  limit: number;
  cursor?: string | null;
  order?: VerdictOrder;
  /** Where counting takes time, stop after this many; no limit when left out. */
  countLimit?: number;
}>;
/** There are more than `total` where `atLeast` is set. `next` is null on the last page. */
export type VerdictPage = Readonly<{
  total: number;
  atLeast?: true;
  items: readonly VerdictItem[];
  next: string | null;
}>;

export type LabelCounts = Readonly<Record<Label, number>>;
export type StatementCounts = Readonly<{
  statement: StatementKey;
  id: string;
  text: string;
  set: string;
  labels: LabelCounts;
  wantsReview: number;
  reviewed: number;
  flagged: number;
}>;
export type QueueCounts = Readonly<{
  wantsReview: number;
  flagged: number;
  damaged: number;
  degraded: number;
  disagrees: number;
  reviewed: number;
}>;

export type VerdictOperations = {
  /** Verdicts of one or more statements in one transaction. Returns how many became current. */
  append(judging: Judging, verdicts: readonly PackedVerdicts[]): number;
  list(filter: VerdictFilter, page: PageRequest): VerdictPage;
  byId(id: string): VerdictItem | null;
  /** Of effective labels, for everything shown or for some statements only. */
  countByLabel(statements?: readonly StatementKey[]): LabelCounts;
  countByStatement(): readonly StatementCounts[];
  countQueues(): QueueCounts;
  /** As countByLabel, for the photos under these folders and these statements. */
  countUnder(folders: readonly string[], statements: readonly StatementKey[]): LabelCounts;
};

// ---- folders, runs, settings, upkeep ----

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
  /** Adds the folder or changes the fields given. */
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
  /** Runs that a killed process left running are marked interrupted when the store opens. */
  begin(kind: string, params: Readonly<Record<string, unknown>>): RunRecord;
  finish(run: RunKey, state: Exclude<RunState, 'running'>, counts: Readonly<Record<string, number>>): void;
  list(limit: number): readonly RunRecord[];
};

export type SettingOperations = {
  /** The JSON value last set, or null. */
  get(name: string): unknown;
  set(name: string, value: unknown): void;
};

export type CheckResult = Readonly<{ ok: boolean; problems: readonly string[] }>;
export type BackupResult = Readonly<{ file: string; bytes: number }>;
export type StoreFigures = Readonly<{
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
  /** The newest first. */
  backups(): readonly BackupResult[];
  /** Removes all but the newest `keep` backups that the store itself made. */
  pruneBackups(keep: number): number;
  figures(): StoreFigures;
};

export type StoreOperations = {
  photos: PhotoOperations;
  quarantine: QuarantineOperations;
  statements: StatementOperations;
  verdicts: VerdictOperations;
  results: ResultOperations;
  reviews: ReviewOperations;
  flags: FlagOperations;
  folders: FolderOperations;
  runs: RunOperations;
  settings: SettingOperations;
  upkeep: UpkeepOperations;
};

type Asynchronous<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** How long a request took in the worker, and how long it waited for its turn. */
export type RequestTiming = Readonly<{ request: string; waitedMs: number; ranMs: number; ok: boolean }>;

export type Store = { readonly [Concern in keyof StoreOperations]: Asynchronous<StoreOperations[Concern]> } & Readonly<{
  mode: 'read' | 'write';
  /** Path of the database file. */
  file: string;
  /** Finishes what was asked, then lets go of the database and the lock. */
  close: () => Promise<void>;
}>;

export type OpenOptions = Readonly<{
  home: string;
  mode: 'read' | 'write';
  /** Where the worker's code is; main/store/worker.ts, or what it was built to. */
  workerUrl: URL;
  onRequest?: (timing: RequestTiming) => void;
}>;
export type OpenResult = Readonly<{ ok: true; store: Store }> | Readonly<{ ok: false; error: StoreError }>;
