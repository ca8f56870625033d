/** What a window shows: plain data, made by the core. Times are UTC milliseconds, sizes pixels or bytes. */

import type { Degradation, PastDegradation } from './degradation.ts';
import type { FolderSettings, WatchState } from './folder.ts';
import type { Device, Grade, Label, PassedOver, Precision, Probabilities } from './labels.ts';
import type { Prescreen, QuarantineReason } from './photo.ts';
import type { PrecisionReason } from './precision.ts';
import type { Cap, Explanation, LookedFor, VerdictReason } from './reason.ts';
import type { ApiError } from './result.ts';
import type { NormalisedStatement } from './statement.ts';
import type { PhotoTag } from './tagging.ts';

/** How many pairs got each label. */
export type LabelCounts = Readonly<Record<Label, number>>;

/** `next` continues after the last item; null at the end. `total` counts every page. */
export type Page<T> = Readonly<{ items: readonly T[]; next: string | null; total: number }>;

export type AppInfo = Readonly<{
  version: string;
  platform: 'linux' | 'darwin' | 'win32';
  runtime: Readonly<{ electron: string; chrome: string; node: string }>;
  home: string;
  /** BCP 47, of the system. */
  locale: string;
}>;

/** Whether the library is open; where it is not, why, and the newest backup that could take its place. */
export type StartState =
  | Readonly<{ open: true }>
  | Readonly<{ open: false; error: ApiError; backup: Readonly<{ madeAt: number; bytes: number }> | null }>;

export type FolderView = Readonly<{
  id: string;
  path: string;
  /** The bundled sample photos. */
  samples: boolean;
  /** False when the folder cannot be reached now (an unplugged disk, say). */
  present: boolean;
  watched: boolean;
  /** How it is followed; null while it is not watched. */
  watch: WatchState | null;
  /** The statement set that its photos are judged on; null: all of them. */
  setId: string | null;
  settings: FolderSettings;
  photos: number;
  quarantined: number;
  wantsReview: number;
  lastScanAt: number | null;
}>;

/** What removing a folder takes out of the library; photo files stay, always. */
export type FolderRemoval = Readonly<{ photos: number; verdicts: number; reviews: number }>;

export type QuarantineItem = Readonly<{
  id: string;
  folderId: string;
  path: string;
  reason: QuarantineReason;
  retryable: boolean;
  attempts: number;
  at: number;
}>;

export type RunStatus = 'running' | 'paused' | 'cancelled' | 'done' | 'failed';
export type Run = Readonly<{
  id: string;
  status: RunStatus;
  folderIds: readonly string[];
  startedAt: number;
  endedAt: number | null;
  /** `found` grows until `discovering` is false; done = judged + cached + quarantined. */
  discovering: boolean;
  photos: Readonly<{
    found: number;
    done: number;
    judged: number;
    cached: number;
    quarantined: number;
    ignored: number;
  }>;
  verdicts: LabelCounts;
  photosPerSecond: number;
  pairsPerSecond: number;
  /** null while it cannot be told. */
  etaMs: number | null;
  error: ApiError | null;
}>;

export type StatementView = Readonly<{
  id: string;
  setId: string;
  text: string;
  tag: string | null;
  yes: number | null;
  no: number | null;
  flag: 'yes' | 'no' | null;
  note: string | null;
  /** null where today's rules leave nothing of it to check: it was stored under others. */
  normalised: NormalisedStatement | null;
  createdAt: number;
  archivedAt: number | null;
  /** Effective labels of its pairs. */
  counts: LabelCounts;
}>;
export type StatementSetView = Readonly<{
  id: string;
  name: string;
  archivedAt: number | null;
  statements: readonly StatementView[];
}>;

/** What would be sent for a text, while it is typed. */
export type StatementPreview = Readonly<{
  /** null when nothing is left to check. */
  normalised: NormalisedStatement | null;
  removed: readonly string[];
  maxTokens: number;
  languageSupported: boolean;
  /** Words that the active pack cannot check, as written. */
  notChecked: readonly string[];
  /** What it looks for; null where it compares a text as a whole. */
  looksFor: readonly LookedFor[] | null;
}>;

/** One pair as a chip. */
export type VerdictChip = Readonly<{
  verdictId: string;
  statementId: string;
  label: Label;
  effectiveLabel: Label;
  lean: Label | null;
  confidence: number | null;
  grade: Grade;
  wantsReview: boolean;
  reviewed: boolean;
}>;

/** One photo of the grid, with the current verdicts on it: those that match the filter first. */
export type ResultItem = Readonly<{
  photoId: string;
  /** One of its paths. */
  path: string;
  width: number;
  height: number;
  takenAt: string | null;
  judgedAt: number;
  damaged: boolean;
  flagged: boolean;
  /** Photos that this one stands for, itself included: 1 unless similar ones were grouped. */
  similar: number;
  /** How well it fits the text that was searched for, in [0, 1]; null without one. */
  fit: number | null;
  chips: readonly VerdictChip[];
}>;

export type CameraCount = Readonly<{ camera: string; photos: number }>;

export type ResultCounts = Readonly<{
  photos: number;
  labels: LabelCounts;
  grades: Readonly<Record<Grade, number>>;
  wantsReview: number;
  /** Photos that could be read only in part. */
  damaged: number;
  statements: readonly Readonly<{ statementId: string; labels: LabelCounts; wantsReview: number }>[];
  folders: readonly Readonly<{ folderId: string; photos: number }>[];
}>;

type ModelRef = Readonly<{ id: string; version: string; sha256: string }>;

/** A verdict of the past or present, without its photo. */
export type VerdictRecord = Readonly<{
  id: string;
  label: Label;
  lean: Label | null;
  confidence: number | null;
  grade: Grade;
  /** After calibration and caps; null when nothing was measured. */
  p: Probabilities | null;
  reason: VerdictReason;
  model: ModelRef;
  precision: Precision;
  device: Device;
  degraded: boolean;
  at: number;
}>;

export type ReviewRecord = Readonly<{
  id: string;
  kind: 'confirm' | 'override' | 'skip';
  label: Label | null;
  note: string | null;
  at: number;
  undone: boolean;
}>;

export type PairDetail = Readonly<{
  statementId: string;
  statement: string;
  setName: string;
  tag: string | null;
  thresholds: Readonly<{ yes: number; no: number }>;
  current: VerdictRecord;
  effectiveLabel: Label;
  wantsReview: boolean;
  caps: readonly Cap[];
  explanation: Explanation | null;
  /** Older verdicts, newest first. */
  history: readonly VerdictRecord[];
  reviews: readonly ReviewRecord[];
}>;

/** Photos that could not be tagged, and what went wrong with one of them. */
export type TagProblems = Readonly<{ photos: number; problem: string | null }>;

export type PhotoDetail = Readonly<{
  photoId: string;
  paths: readonly Readonly<{ path: string; present: boolean }>[];
  format: string;
  bytes: number;
  width: number;
  height: number;
  frames: number;
  damaged: boolean;
  /** As written in the file, with its offset if it has one. */
  takenAt: string | null;
  camera: string | null;
  hasGps: boolean;
  /** As it was when the photo was judged last; how long it took is not kept. */
  prescreen: Omit<Prescreen, 'ms'> | null;
  fileHash: string;
  imageHash: string;
  /** By name; a photo has a tag once for each place where it is kept. */
  tags: readonly PhotoTag[];
  pairs: readonly PairDetail[];
}>;

/** How a device showed that it is the one that really ran. */
type DeviceProofView = Readonly<{
  nodesOnDevice: number;
  nodesInAll: number;
  probeMs: number;
  agreesWithCpu: boolean;
  maxDifference: number;
}>;

export type EngineState = Readonly<{
  status: 'stopped' | 'starting' | 'ready' | 'restarting' | 'failed';
  error: ApiError | null;
  model: (ModelRef & Readonly<{ kind: 'separable' | 'joint'; licence: string; languages: readonly string[] }>) | null;
  /** null until a session is loaded; `requested` is in settings meanwhile. */
  device: Readonly<{
    requested: Device | 'auto';
    used: Device;
    /** Which of several such devices. */
    index: number;
    proof: DeviceProofView;
    fallbackReason: string | null;
    /** Tried before the one that is used. */
    passedOver: readonly PassedOver[];
  }> | null;
  precision: Readonly<{
    requested: Precision | 'auto';
    used: Precision;
    reason: PrecisionReason;
    available: readonly Precision[];
  }> | null;
  /** In pixels; `available`: what the pack has, the one that `auto` prefers first. */
  inputSize: Readonly<{ used: number; available: readonly number[] }> | null;
  devices: readonly Device[];
  runtime: string | null;
  threads: number;
  /** How often a statement was found made ready, and how often it was not; null before a pack is open. */
  statementCache: Readonly<{ hits: number; misses: number }> | null;
  batch: Readonly<{
    mode: 'auto' | 'fixed';
    size: number;
    max: number;
    mean: number | null;
    /** Against a fixed size, which is never changed: what it had better be, and why. */
    advice: Readonly<{ size: number; cause: 'memory' | 'latency' }> | null;
  }>;
  maxDelayMs: number;
  queue: Readonly<{ waiting: number; running: number }>;
  photosPerSecond: number;
  pairsPerSecond: number;
  /** Per photo, bulk queue wait excluded; null before the first inference. */
  latencyMs: Readonly<{ mean: number; p50: number; p95: number; p99: number }> | null;
  /** Of the machine, in bytes. */
  /** Of the machine, or of the container where that has a limit; null until it has been read. */
  memory: Readonly<{ freeBytes: number; totalBytes: number }> | null;
  degradation: readonly Degradation[];
  /** The latest that are over, newest first. */
  pastDegradation: readonly PastDegradation[];
  hosts: Readonly<{
    inference: Readonly<{ pid: number; rssBytes: number; restarts: number }> | null;
    images: Readonly<{ count: number; restarts: number; decoder: string | null }>;
  }>;
}>;
