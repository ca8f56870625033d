/** Photos, the paths they lie at, their evidence, and what could not be judged. */
import type { Device, Grade, Label, Precision, Probabilities } from '../contract/labels.ts';
import type { DecodedInfo, FileIdentity, QuarantineReason } from '../contract/photo.ts';
import type { Cap, VerdictReason } from '../contract/reason.ts';
import type { PolicyStamp } from '../policy/policy.ts';
import type { PhotoKey, RunKey, StatementKey } from './keys.ts';

/** A file as a directory listing shows it. */
export type FileStat = Readonly<{ path: string; bytes: number; mtimeMs: number; inode: string }>;

export type PhotoFlags = Readonly<{ damaged: boolean; blurred: boolean; flat: boolean; small: boolean }>;
export type RecordedPhoto = Readonly<{ key: PhotoKey; id: string }>;
/** `deviation`: grey standard deviation, null where the prescreen was off. */
export type KnownPhoto = PhotoFlags & RecordedPhoto & Readonly<{ deviation: number | null }>;

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
export type JudgedBy = Readonly<{
  run: RunKey | null;
  packId: string;
  packVersion: string;
  packSha256: string;
  adapterVersion: string;
  precision: Precision;
  device: Device;
  degraded: boolean;
  policy: PolicyStamp;
  /** The judging whose p this one decides again; left out where the model was asked. */
  source?: number;
  at: number;
}>;

export type NewEvidence = Readonly<{ inputSize: number; preprocessVersion: number; blob: Uint8Array }>;

/** A photo that came back from the model (or was flat). Evidence is kept under the judging's pack and precision. */
export type JudgedFile = IdentifiedFile &
  Readonly<{ info: DecodedInfo; evidence: NewEvidence | null; verdicts: readonly NewVerdict[] }>;

type QuarantinedFile = FileStat & Readonly<{ fileHash: string | null; reason: QuarantineReason; at: number }>;
export type QuarantineRecord = QuarantinedFile & Readonly<{ attempts: number; firstAt: number }>;

export type PhotoOperations = {
  /** One state per file, in order. Writes nothing. */
  lookup(files: readonly FileStat[], want: Want): readonly PathState[];
  /**
   * For files just identified: notes a known content at its path (a copy, a move, new metadata) and tells its state;
   * 'unknown' content needs decoding and `recordJudged`.
   */
  attach(files: readonly IdentifiedFile[], want: Want): readonly PathState[];
  /** Photos, evidence and verdicts in one transaction; takes the files off quarantine. Tells which photos they are, in order. */
  recordJudged(judging: JudgedBy, files: readonly JudgedFile[]): readonly RecordedPhoto[];
  /** Paths of photos and of quarantined files under a folder (or the file itself), in order, after `after`; at most `limit`. */
  listPaths(under: string, after: string | null, limit: number): readonly string[];
  /** These paths no longer exist; a photo without any path is hidden, with all that is known of it kept. */
  markGone(paths: readonly string[]): number;
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
  list(under: string | null): readonly QuarantineRecord[];
};
