/** What the core may ask of the engine, and what it gets back. */

import type { Degradation, PastDegradation } from '../../contract/degradation.ts';
import type { Device, Precision } from '../../contract/labels.ts';
import type { Answer, Operation } from '../../contract/operation.ts';
import type { Pack } from '../../contract/pack.ts';
import type { DecodedInfo, FileIdentity, PrescreenThresholds } from '../../contract/photo.ts';
import type { Judgement } from '../../contract/seam.ts';
import type { HostPriority, LadderSettings } from '../../contract/settings.ts';
import type { SpawnHost } from '../../hosts/host.ts';
import type { HostEvent, HostFigures, HostKind } from '../../hosts/host-events.ts';
import type { HostMemoryTimes } from '../../hosts/host-memory.ts';
import type { BackOff } from '../../hosts/restarts.ts';
import type { ImagePool } from '../../images/core/pool.ts';
import type { Delivery, Failure } from '../../images/protocol.ts';
import type { InputSize } from '../../packs/input-size.ts';
import type { PrecisionChoices } from '../../packs/precision-choice.ts';
import type { BatchAdvice } from '../host/batch-control.ts';
import type { BatchSetting, Heartbeat, LoadedInfo } from '../protocol.ts';
import type { LadderStep } from './ladder-runner.ts';

/** One inference host, and the device that it judges on. */
export type LineOptions = Readonly<{
  device: Device | 'auto';
  /** Which of several such devices; 0: the first. */
  deviceIndex?: number;
}>;

export type EngineOptions = Readonly<{
  pack: Pack;
  /** The image hosts of the core, which the engine's photos go through. */
  images: ImagePool;
  /** Starts the inference host from its entry. */
  spawn: SpawnHost;
  entry: string;
  /** A private folder for sockets, from `openRuntimeDir`. */
  runtimeDir: string;
  /** What judges; left out: one line, on the best device that there is. */
  lines?: readonly LineOptions[];
  precision?: Precision | 'auto';
  inputSize?: InputSize;
  /** What `auto` precision means on each device; fp32 where nothing is said. */
  choices?: PrecisionChoices;
  /** Folder of optimised graphs; without it every start optimises anew. */
  graphCache?: string;
  batch?: BatchSetting;
  maxDelayMs?: number;
  /** CPU threads of the model in each line; 0: let the host choose. */
  threads?: number;
  /** For photos that bring no thresholds of their own; null: none. */
  prescreen?: PrescreenThresholds | null;
  onEvent?: (event: EngineEvent) => void;
  /** An inference host from which nothing came for so long is killed. */
  silenceMs?: number;
  backOff?: BackOff;
  ladder: LadderSettings;
  /** A host that holds more than this is replaced between two batches, in MB; 0: never. */
  hostMemoryMb?: number;
  hostMemoryTimes?: HostMemoryTimes;
  /** Of the hosts, beside other programs. */
  priority?: HostPriority;
}>;

export type EngineEvent =
  /** `downMs`: since the host before it ended; null at the first start. */
  | Readonly<{ kind: 'inference_up'; info: LoadedInfo; restarts: number; downMs: number | null }>
  | HostEvent
  | Readonly<{ kind: 'heartbeat'; heartbeat: Heartbeat }>
  /** What an automatic batch may hold from now on; null: it is fixed. */
  | Readonly<{ kind: 'out_of_memory'; ceiling: number | null }>
  /** So many photos were judged in fp32, because the chosen precision gave an output that was not finite. */
  | Readonly<{ kind: 'not_finite'; photos: number }>
  | LadderStep
  /** A result that came after its caller was told `timed_out` or `cancelled`. */
  | Readonly<{ kind: 'late'; path: string; result: Encoded }>;

type Timing = Readonly<{
  /** Waited in the batch queue, ran in the model, with so many in the batch, and all in all since `encode`; ms. */
  queueMs: number;
  runMs: number;
  batch: number;
  totalMs: number;
}>;

/** What the operation makes: evidence, a judgement for each pair, or an answer; the others are null, all of a flat photo. */
export type Encoded = Readonly<{
  ok: true;
  identity: FileIdentity;
  info: DecodedInfo;
  flat: boolean;
  evidence: Uint8Array | null;
  judgements: readonly Judgement[] | null;
  answer: Answer | null;
  /** What judged it; of a flat photo: what would have. */
  device: Device;
  precision: Precision;
  inputSize: number;
  /** Made while only decisions of grade high stand; to be judged again later. */
  degraded: boolean;
  timing: Timing;
}>;
/** The photo is to blame: it belongs in quarantine. */
export type NotJudgeable = Failure & Readonly<{ kind: 'quarantine' }>;
/** The photo is not to blame: it may be tried again. */
export type NotDone = Readonly<{
  ok: false;
  kind: 'not_done';
  code: 'timed_out' | 'cancelled' | 'queue_full' | 'stopped' | 'engine_down' | 'host_killed';
  detail: string;
  /** Of an interactive photo that missed it, in ms. */
  limitMs?: number;
  /** Of a photo that missed its time limit: what is known of it, and its result if that still comes. */
  putOff?: PutOff;
}>;
export type PutOff = Readonly<{
  identity: FileIdentity;
  info: DecodedInfo;
  limitMs: number;
  late: Promise<Encoded | null>;
}>;
export type EncodeResult = Encoded | NotJudgeable | NotDone;

export type EncodeOptions = Readonly<{
  priority?: Delivery['priority'];
  /** Whose photo it is: order is kept per client. */
  client?: string;
  /** UTC milliseconds; null: none. An interactive photo has one unless told otherwise. */
  deadlineAt?: number | null;
  /** Left out: a separable pack's evidence. */
  operation?: Operation;
  /** Left out: as the engine does; null: none. */
  prescreen?: PrescreenThresholds | null;
  signal?: AbortSignal;
}>;

/** An identified photo. It takes up a place in the engine until `encode` has settled or `release` was called. */
export type OpenPhoto = Readonly<{
  ok: true;
  identity: FileIdentity;
  encode: (options?: EncodeOptions) => Promise<EncodeResult>;
  release: () => void;
}>;

export type EngineStats = Readonly<{
  /**
   * Since the start of the engine, as the inference hosts count them: batches run, samples in them, the largest, ms in
   * the model. Whole when nothing is under way, else a second old at most.
   */
  batches: number;
  samples: number;
  meanBatch: number;
  largestBatch: number;
  busyMs: number;
  /** Ms that the session workers idled between batches although a full batch was waiting. */
  gapMs: number;
  /** What a batch may hold now (on the line where it is the largest), and what a fixed one had better hold. */
  batch: number;
  advice: BatchAdvice | null;
  degradation: readonly Degradation[];
  pastDegradation: readonly PastDegradation[];
  /** Photos (or pairs) that wait to be judged, for a line or in its host. */
  queued: number;
  running: number;
  inEngine: number;
  /** Per photo, ms: interactive ones all in all, others without waiting. Of the last minute, or the latest hundred. */
  latencies: readonly number[];
  hosts: readonly (HostFigures & Readonly<{ kind: HostKind }>)[];
}>;

export type Engine = Readonly<{
  /** Of the first line, as it was loaded last. */
  info: () => LoadedInfo;
  identify: (
    path: string,
    options?: Pick<EncodeOptions, 'priority' | 'deadlineAt' | 'signal'>,
  ) => Promise<OpenPhoto | NotJudgeable | NotDone>;
  /** `identify` and `encode` in one. Never rejects, and always settles. */
  encode: (path: string, options?: EncodeOptions) => Promise<EncodeResult>;
  setBatch: (batch: BatchSetting, maxDelayMs?: number) => void;
  setLadder: (ladder: LadderSettings) => void;
  stats: () => EngineStats;
  stop: () => Promise<void>;
}>;

/** The engine cannot start: exit code 3 of the command line. */
export class EngineUnavailable extends Error {
  readonly code: 'pack_broken' | 'device_unavailable' | 'runtime_missing' | 'host_failed';
  constructor(code: EngineUnavailable['code'], detail: string) {
    super(detail);
    this.code = code;
  }
}
