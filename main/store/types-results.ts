/** What the results screen asks: photos (not pairs) by what their pairs say, and everything of one photo. */

import type { Device, Grade, Label, Precision, Probabilities } from '../contract/labels.ts';
import type { Cap, VerdictReason } from '../contract/reason.ts';
import type { ResultFilter, ResultSort } from '../contract/result-filter.ts';
import type { CameraCount, FolderRemoval, Page, ResultCounts, ResultItem } from '../contract/views.ts';
import type { StatementKey } from './keys.ts';
import type { EvidenceKey, PhotoFlags } from './types-photos.ts';

/**
 * What a search found: photos, each with how well it fits the text, in [0, 1]. Both lists have one length. A photo of at
 * least `likely` probably fits.
 */
export type Ranking = Readonly<{ text: string; photos: Uint32Array; scores: Float64Array; likely: number }>;

export type ResultRequest = Readonly<{
  filter: ResultFilter;
  sort: ResultSort;
  grouped?: boolean;
  cursor: string | null;
  limit: number;
}>;

/** A verdict as it was stored: p is raw, neither calibrated nor capped. */
export type StoredVerdict = Readonly<{
  id: string;
  label: Label;
  lean: Label | null;
  confidence: number | null;
  grade: Grade;
  p: Probabilities | null;
  caps: readonly Cap[];
  reason: VerdictReason;
  packId: string;
  packVersion: string;
  packSha256: string;
  precision: Precision;
  device: Device;
  degraded: boolean;
  at: number;
}>;

export type StoredPhoto = Readonly<{
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
}>;

export type StoredPair = Readonly<{
  statement: StatementKey;
  statementId: string;
  text: string;
  set: string;
  tag: string | null;
  yes: number | null;
  no: number | null;
  flag: 'yes' | 'no' | null;
  effectiveLabel: Label;
  wantsReview: boolean;
  current: StoredVerdict;
  /** Earlier verdicts of the same pack id and others, newest first. */
  history: readonly StoredVerdict[];
}>;

export type PhotoResults = Readonly<{ photo: StoredPhoto; flags: PhotoFlags; pairs: readonly StoredPair[] }>;

export type ResultOperations = {
  /** Holds what was found for a text: filters that name it mean these photos, until the next is held. */
  rank(ranking: Ranking): void;
  /** Photos of which at least one shown pair meets the filter. Rejects a cursor that is not of this sort. */
  page(request: ResultRequest): Page<ResultItem>;
  /** Of the pairs that meet the filter; `folders` counts the photos below each registered folder. */
  counts(filter: ResultFilter): ResultCounts;
  photo(id: string): PhotoResults | null;
  cameras(): readonly CameraCount[];
  /** The evidence that its verdicts were made from; null for a flat photo and for joint packs. */
  evidence(id: string, wanted: EvidenceKey): Uint8Array | null;
  /** What is shown of photos that lie below this folder and below no other registered one. */
  removal(folder: string): FolderRemoval;
  /** The paths of those photos, to be marked gone. */
  pathsOnlyUnder(folder: string): readonly string[];
  /** How many of these photos have a pair that wants a review. */
  wantsReviewAmong(photoIds: readonly string[]): number;
  /** Pairs that want a review, per registered folder. */
  wantsReview(): readonly Readonly<{ folder: string; wantsReview: number }>[];
};
