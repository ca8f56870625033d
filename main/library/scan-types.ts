/** What a scan is given, what it needs, and what it tells of itself. */
import type { QuarantineReason } from '../contract/photo.ts';
import type { Engine } from '../inference/core/engine-types.ts';
import type { PhotoOutcome } from '../judging/encoded.ts';
import type { PhotoQuestion, questionsFor } from '../judging/operation.ts';
import type { FileStat, JudgedBy, NewVerdict, Store, Want } from '../store/types.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Root } from './folders.ts';

export type ScanProgress = Readonly<{
  discovering: boolean;
  found: number;
  judged: number;
  cached: number;
  quarantined: number;
  ignored: number;
  photosPerSecond: number;
  /** null while it cannot be told. */
  etaMs: number | null;
}>;

export type ScanOutcome = Readonly<{
  photos: Readonly<{ found: number; judged: number; cached: number; quarantined: number; ignored: number }>;
  quarantined: readonly Readonly<{ path: string; reason: QuarantineReason }>[];
  /** Per photo that was judged: reading, decoding and its batch's run; waiting in a queue is left out. */
  latenciesMs: readonly number[];
  interrupted: boolean;
}>;

/** What is the same for every verdict of a scan; device and precision are known once the engine runs. */
export type ScanPlan = Readonly<{
  roots: readonly Root[];
  /** Only these files below the roots, which are known to have changed; null: all there are, and what is gone is noted. */
  files: readonly FileStat[] | null;
  want: Want;
  judging: Omit<JudgedBy, 'at' | 'device' | 'precision' | 'degraded'>;
  preprocessVersion: number;
  /** What is asked of a photo that lacks verdicts on these statements. */
  questionOf: ReturnType<typeof questionsFor>;
  retryQuarantined: boolean;
}>;

export type AskedPhoto = Readonly<{ outcome: PhotoOutcome; statements: PhotoQuestion['statements'] }>;

export type ScanPorts = Readonly<{
  store: Store;
  telemetry: Telemetry;
  /** Starts the engine at the first photo that needs it. */
  engine: () => Promise<Engine>;
  /** Verdicts for photos just looked at, on the statements that each was asked about. */
  judge: (photos: readonly AskedPhoto[]) => Promise<readonly (readonly NewVerdict[])[]>;
  /** Judges photos that need no model: what they lack are verdicts alone. */
  rescore: (photos: Uint32Array) => Promise<void>;
  onProgress: (progress: ScanProgress) => void;
  /** Photos that have new verdicts, or lie at a new place. */
  onJudged: (photoIds: readonly string[]) => void;
  /** Whether a file that was not readable as a whole may still be on its way: then it is left alone. */
  later: Later;
  signal: AbortSignal;
  /** Resolves at once unless the scan is paused. */
  whileRunning: () => Promise<void>;
}>;

/** Why a file is not judged now: what is wrong with it, only part of it could be read, or the engine had no time. */
export type NotNow = QuarantineReason | 'damaged' | 'not_done';
export type Later = (file: FileStat, why: NotNow) => boolean;
