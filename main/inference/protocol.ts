/** Messages between the core and the inference host. */
import type { Device, PassedOver, Precision } from '../contract/labels.ts';
import type { Answer } from '../contract/operation.ts';
import type { PrecisionReason } from '../contract/precision.ts';
import type { Judgement, ViewSpec } from '../contract/seam.ts';
import type { PrecisionChoices } from '../packs/precision-choice.ts';
import type { BatchAdvice } from './host/batch-control.ts';
import type { GraphOrigin } from './session/graph-cache.ts';

/** `ceiling`: what `auto` may not exceed, under pressure. */
export type BatchSetting = Readonly<{ mode: 'auto'; ceiling?: number } | { mode: 'fixed'; size: number }>;

/** How long a photo may take in the model on each kind of device, and the least that a bulk batch is given; ms. */
export type BatchTimes = Readonly<{ slaCpuMs: number; slaGpuMs: number; bulkMs: number }>;

export type LoadRequest = Readonly<{
  packDir: string;
  device: Device | 'auto';
  /** Which of several such devices. */
  deviceIndex: number;
  precision: Precision | 'auto';
  /** One of the pack's. */
  inputSize: number;
  /** What `auto` means on each device, where a trial has told. */
  choices: PrecisionChoices;
  /** Folder of optimised graphs, or null to do without. */
  graphCache: string | null;
  batch: BatchSetting;
  maxDelayMs: number;
  limits: BatchTimes;
  /** Photos that may wait; a photo beyond that is refused with `queue_full`. */
  maxQueue: number;
  /** 0: let the host choose. */
  threads: number;
  socket: string;
  token: string;
}>;

/** How a device showed that it is the one that really ran: nodes placed on it, and a probe batch that agrees with CPU. */
export type DeviceProof = Readonly<{
  nodesOnDevice: number;
  nodesInAll: number;
  probeMs: number;
  agreesWithCpu: boolean;
  maxDifference: number;
}>;

export type LoadedInfo = Readonly<{
  device: Readonly<{
    requested: Device | 'auto';
    used: Device;
    index: number;
    proof: DeviceProof;
    /** Why another than the one asked for is used; null where that is not so, and for `auto`. */
    fallbackReason: string | null;
    /** Tried before the one that is used. */
    passedOver: readonly PassedOver[];
  }>;
  precision: Precision;
  inputSize: number;
  precisionReason: PrecisionReason;
  runtime: string;
  /** Whether the graphs had to be optimised at this start. */
  graphs: GraphOrigin;
  /** CPU threads in all, shared by sessions that run side by side, each with its own batch. */
  threads: number;
  lanes: number;
  adapter: Readonly<{ kind: 'separable' | 'joint'; version: string; views: readonly ViewSpec[]; answers: boolean }>;
}>;

/**
 * `queueMs`: the wait for the first batch. `runMs`: of all batches that the photo was in, each once. `shareMs`: what it took
 * of that, by its part of each batch. `batch`: samples in the last of them.
 */
export type Timing = Readonly<{ queueMs: number; runMs: number; shareMs: number; batch: number }>;

/** `precision`: that of the batch, which need not be the one loaded. `late`: came after its deadline; kept all the same. */
type Made = Readonly<{ precision: Precision; timing: Timing; late: boolean }>;

export type InferenceRequest =
  | Readonly<{ kind: 'load'; request: LoadRequest }>
  | Readonly<{ kind: 'batch'; batch: BatchSetting; maxDelayMs: number; limits: BatchTimes }>
  | Readonly<{ kind: 'cancel'; jobs: readonly number[] }>
  | Readonly<{ kind: 'stop' }>;

export type InferenceFailure =
  | 'queue_full'
  | 'timed_out'
  | 'run_failed'
  | 'not_finite'
  | 'out_of_memory'
  | 'device_lost'
  | 'cancelled';

export type InferenceReply =
  | Readonly<{ kind: 'listening'; pid: number }>
  | Readonly<{ kind: 'loaded'; info: LoadedInfo }>
  | Readonly<{ kind: 'load_failed'; code: 'pack_broken' | 'device_unavailable' | 'runtime_missing'; detail: string }>
  | (Readonly<{ kind: 'encoded'; job: number; evidence: Uint8Array }> & Made)
  | (Readonly<{ kind: 'judged'; job: number; judgements: readonly Judgement[] }> & Made)
  | (Readonly<{ kind: 'answered'; job: number; answer: Answer }> & Made)
  /** `limitMs`: the limit that was missed; else null. */
  | Readonly<{ kind: 'failed'; job: number; code: InferenceFailure; detail: string; limitMs: number | null }>
  | Heartbeat;

export type Heartbeat = Readonly<{
  kind: 'heartbeat';
  queued: number;
  /** Those of a batch that was just finished included, until all of them were told of. */
  running: number;
  /** Photos (or pairs) that the next batch may hold. */
  batch: number;
  /** Against a fixed size. */
  advice: BatchAdvice | null;
  /** The automatic size was set to one because photos took too long. */
  slowed: boolean;
  rssBytes: number;
  /** How long the batch that is nearest to its time limit has been running, and how long it may; ms. */
  runningMs: number;
  limitMs: number;
  totals: Totals;
}>;

/** What a host has done since it was loaded. Nobody else counts it. */
export type Totals = Readonly<{
  batches: number;
  /** Photos, or pairs of a joint pack. */
  samples: number;
  largestBatch: number;
  /** Summed over lanes: ms in the model, ms idle while a full batch waited. */
  busyMs: number;
  gapMs: number;
  /** Samples run again in fp32 because their output was not finite. */
  fellBack: number;
}>;
