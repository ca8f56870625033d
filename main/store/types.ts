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
import type { QualityOperations } from './types-quality.ts';
import type { QueueOperations } from './types-queues.ts';
import type { ResultOperations } from './types-results.ts';
import type { FlagOperations, ReviewOperations } from './types-review.ts';
import type { TagOperations } from './types-tags.ts';
import type { FolderOperations, RunOperations, SettingOperations, UpkeepOperations } from './types-upkeep.ts';
import type { VerdictItem, VerdictOperations } from './types-verdicts.ts';

export type * from './types-quality.ts';
export type * from './types-queues.ts';
export type * from './types-results.ts';
export type * from './types-review.ts';
export type * from './types-tags.ts';
export type * from './types-upkeep.ts';
export type * from './types-verdicts.ts';

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
  /** Close to the threshold, on either side of it. */
  near?: boolean;
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
  /** The judging whose p this one decides again; left out where the model was asked. */
  source?: number;
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
  /** The ids of photos, in order. */
  ids(keys: readonly PhotoKey[]): readonly string[];
  /** null where no file has this photo now. */
  pathOf(id: string): string | null;
  /** What a list shows of photos, by their keys; those that no file has now are left out. */
  shownAs(
    keys: readonly PhotoKey[],
  ): readonly Readonly<{ key: PhotoKey; id: string; path: string; width: number; height: number }>[];
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

// ---- all of it ----

export type StoreOperations = {
  photos: PhotoOperations;
  quarantine: QuarantineOperations;
  statements: StatementOperations;
  verdicts: VerdictOperations;
  results: ResultOperations;
  queues: QueueOperations;
  quality: QualityOperations;
  reviews: ReviewOperations;
  flags: FlagOperations;
  tags: TagOperations;
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
  /** Where the worker's code is; main/store/sql/worker.ts, or what it was built to. */
  workerUrl: URL;
  onRequest?: (timing: RequestTiming) => void;
}>;
export type OpenResult = Readonly<{ ok: true; store: Store }> | Readonly<{ ok: false; error: StoreError }>;
