/** Tags: what photos have earned by their verdicts, and what Vouch has set on them so far. */

import type { Grade, Label } from '../contract/labels.ts';
import type { PhotoTag } from '../contract/tagging.ts';
import type { PhotoKey } from './keys.ts';
import type { PairScope } from './types-verdicts.ts';

/** One tag that Vouch set on a photo at one of its paths. */
export type TagKey = Readonly<{
  photo: PhotoKey;
  path: string;
  /** '' for a tag that is kept in the database only. */
  sidecar: string;
  /** As it stands in the sidecar; the tag itself where there is none. */
  keyword: string;
}>;
export type TagRecord = TagKey &
  Readonly<{
    tag: string;
    /** Set because the folder is tagged, or by an export. */
    by: 'folder' | 'export';
    /** false: about to be written when the process ended. */
    written: boolean;
    /** How many photos this keyword stands for in this sidecar, this one included. */
    holders: number;
  }>;

/** A pair whose statement carries a tag. `grade` is high where a person decided. `inScope`: within what was asked for. */
export type TagPair = Readonly<{ tag: string; label: Label; grade: Grade; inScope: boolean }>;

export type TagSubject = Readonly<{
  photo: PhotoKey;
  /** Of its place in the queue; see `settle`. */
  turn: number;
  paths: readonly Readonly<{ path: string; alive: boolean }>[];
  pairs: readonly TagPair[];
  records: readonly TagRecord[];
}>;

type TagSettlement = Readonly<{
  written: readonly TagKey[];
  withdrawn: readonly TagKey[];
  /** Taken off the queue unless they came back to it meanwhile. */
  done: readonly Readonly<{ photo: PhotoKey; turn: number }>[];
  /** Left in the queue with their problem, until they change or `retry`. */
  failed: readonly Readonly<{ photo: PhotoKey; turn: number; problem: string }>[];
}>;

export type TagOperations = {
  /** Photos whose tags may have to change, the oldest first. */
  due(limit: number): readonly TagSubject[];
  /** Photos in a scope by rising key, and those that an export has tagged before; after `after`. */
  inScope(scope: PairScope, after: PhotoKey, limit: number): readonly TagSubject[];
  countInScope(scope: PairScope): number;
  /** Notes what is about to be written. */
  claim(claims: readonly (TagKey & Readonly<{ tag: string; by: TagRecord['by'] }>)[], at: number): void;
  settle(settlement: TagSettlement): void;
  /** Looks at all photos below a folder again (at all when null): its tagging has changed. Returns how many. */
  queueUnder(folder: string | null): number;
  /** Tries again what failed. Returns how many. */
  retry(): number;
  /** Photos that could not be tagged, and one of the reasons. */
  problems(): Readonly<{ photos: number; problem: string | null }>;
  /** Written tags of a photo. */
  ofPhoto(id: string): readonly PhotoTag[];
};
