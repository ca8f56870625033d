/** Verdicts as they are appended, listed and counted. */

import type { Device, Grade, Label, Precision, Probabilities } from '../contract/labels.ts';
import type { VerdictReason } from '../contract/reason.ts';
import type { ResultFilter } from '../contract/result-filter.ts';
import type { LabelCounts } from '../contract/views.ts';
import type { LocalPolicy, PolicyStamp, Thresholds } from '../policy/policy.ts';
import type { StatementKey } from './keys.ts';
import type { JudgedBy } from './types-photos.ts';

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
  /** 0 or 1: close to the threshold, on either side of it. */
  near: Uint8Array;
  reasonCode: readonly string[];
  /** JSON of the reason's params. */
  reasonParams: readonly string[];
  /** JSON of the caps, null for none. */
  caps: readonly (string | null)[];
}>;

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
  near?: boolean;
  /** Drawn for an audit that still waits for a blind review. */
  audit?: boolean;
  /** Another pack's verdict, or a later one than a person's decision, says otherwise. */
  contradicted?: boolean;
  skipped?: boolean;
  /** A person's decision differs from a verdict that came after it. */
  disagrees?: boolean;
  /** Photo id. */
  photo?: string;
}>;

/** Pairs to export or to tag. `reviewed`: only those with a decision of a person, or only those without. */
export type PairScope = Readonly<
  ({ kind: 'verdicts'; filter: VerdictFilter } | { kind: 'results'; filter: ResultFilter }) & { reviewed?: boolean }
>;

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

/** The last verdict that was looked at: its judging and its photo. */
export type RedecidePlace = readonly [judging: number, photo: number];

/** A stretch of verdicts to decide again; `after` is what the stretch before gave, [0, 0] starts. */
export type RedecideRequest = Readonly<{
  packSha256: string;
  stamp: PolicyStamp;
  policy: LocalPolicy;
  packThresholds: Partial<Thresholds> | undefined;
  after: RedecidePlace;
  /** How many verdicts to look at, at most. */
  limit: number;
}>;

export type VerdictOperations = {
  /** Appends a verdict for each that another policy changes. `after` null: all have been seen. */
  redecide(request: RedecideRequest): Readonly<{ after: RedecidePlace | null; seen: number; changed: number }>;
  /** Current verdicts of this pack that were decided under another stamp: those that `redecide` has to look at. */
  countDecidedOtherwise(packSha256: string, stamp: PolicyStamp): number;
  /** Verdicts of one or more statements in one transaction. Returns how many became current. */
  append(judging: JudgedBy, verdicts: readonly PackedVerdicts[]): number;
  /** The newest first. */
  list(filter: VerdictFilter, page: PageRequest): VerdictPage;
  /** Exactly, however many there are. */
  count(scope: PairScope): number;
  /** Of effective labels, for everything shown or for some statements only. */
  countByLabel(statements?: readonly StatementKey[]): LabelCounts;
  countByStatement(): readonly StatementCounts[];
  /** As countByLabel, for the photos under these folders and these statements. */
  countUnder(folders: readonly string[], statements: readonly StatementKey[]): LabelCounts;
};
