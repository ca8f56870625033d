/**
 * What the store keeps and how it is asked. Every operation is one request to the store's worker; requests are
 * handled one at a time, in the order they were made, each in one transaction.
 *
 * Keys are small integers, only good inside one database; ids are UUIDv7 and may leave it. Times are UTC milliseconds.
 * Hashes are lower-case hex. Failed operations reject with a `VouchFailure`.
 */
import type { VouchError } from '../contract/errors.ts';
import type { PhotoOperations, QuarantineOperations } from './types-photos.ts';
import type { QualityOperations } from './types-quality.ts';
import type { QueueOperations } from './types-queues.ts';
import type { ResultOperations } from './types-results.ts';
import type { FlagOperations, ReviewOperations } from './types-review.ts';
import type { HypothesisOperations, StatementOperations } from './types-statements.ts';
import type { TagOperations } from './types-tags.ts';
import type { FolderOperations, RunOperations, SettingOperations, UpkeepOperations } from './types-upkeep.ts';
import type { VerdictOperations } from './types-verdicts.ts';

export type * from './keys.ts';
export type * from './types-photos.ts';
export type * from './types-quality.ts';
export type * from './types-queues.ts';
export type * from './types-results.ts';
export type * from './types-review.ts';
export type * from './types-statements.ts';
export type * from './types-tags.ts';
export type * from './types-upkeep.ts';
export type * from './types-verdicts.ts';

export type StoreOperations = {
  photos: PhotoOperations;
  quarantine: QuarantineOperations;
  statements: StatementOperations;
  hypotheses: HypothesisOperations;
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
export type OpenResult = Readonly<{ ok: true; store: Store }> | Readonly<{ ok: false; error: VouchError }>;
