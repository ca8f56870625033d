/** Messages between the inference host's main thread and its session worker. */

import type { Device, Precision } from '../contract/labels.ts';
import type { Answer, Operation, Pair } from '../contract/operation.ts';
import type { PackInput } from '../contract/pack.ts';
import type { Judgement } from '../contract/seam.ts';
import type { Fault } from '../hosts/faults.ts';
import type { PrecisionChoices } from '../packs/precision-choice.ts';
import type { InferenceFailure, LoadedInfo } from './protocol.ts';

/** Finds a device that proves itself and opens the pack on it. */
export type SessionLoad = Readonly<{
  kind: 'load';
  packDir: string;
  device: Device | 'auto';
  deviceIndex: number;
  precision: Precision | 'auto';
  inputSize: number;
  choices: PrecisionChoices;
  graphCache: string | null;
  threads: number;
}>;

/** Opens the pack on a device that another worker has proven. */
export type SessionJoin = Readonly<{
  kind: 'join';
  packDir: string;
  device: Device;
  deviceIndex: number;
  precision: Precision;
  inputSize: number;
  graphCache: string | null;
  threads: number;
}>;

/** What all samples of a batch have done to them: one operation's kind, with one pair or question a sample. */
export type SessionWork =
  | Extract<Operation, { kind: 'encode' }>
  | Readonly<{ kind: 'judge'; pairs: readonly Pair[] }>
  | Readonly<{ kind: 'ask'; questions: readonly string[] }>;

/** `views`: per view one buffer of at least `padded` pictures, of which the first `size` count; handed over. */
export type SessionRun = Readonly<{
  kind: 'run';
  size: number;
  padded: number;
  views: Readonly<Record<string, ArrayBuffer>>;
  work: SessionWork;
  /** Faults to act out, one per sample; empty outside tests. */
  faults: ReadonlyArray<Fault | undefined>;
}>;

export type SessionRequest = SessionLoad | SessionJoin | SessionRun;

export type SampleResult =
  | Readonly<{ kind: 'evidence'; evidence: Uint8Array }>
  | Readonly<{ kind: 'judgement'; judgement: Judgement }>
  | Readonly<{ kind: 'answer'; answer: Answer }>
  | Readonly<{
      kind: 'failed';
      code: Extract<InferenceFailure, 'run_failed' | 'not_finite' | 'out_of_memory' | 'device_lost'>;
      detail: string;
    }>;

export type SessionReply =
  | Readonly<{ kind: 'loaded'; info: LoadedInfo; input: PackInput; msPerSample: number }>
  | Readonly<{ kind: 'joined' }>
  | Readonly<{ kind: 'load_failed'; code: 'pack_broken' | 'device_unavailable' | 'runtime_missing'; detail: string }>
  /** `views` are handed back for the next batch; `idleMs` passed since the worker finished the batch before. */
  | Readonly<{
      kind: 'ran';
      results: readonly SampleResult[];
      /** What it ran in at last: fp32 where an output was not finite. */
      precision: Precision;
      runMs: number;
      idleMs: number;
      views: Readonly<Record<string, ArrayBuffer>>;
    }>;
