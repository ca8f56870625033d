/**
 * What runs the graphs of a pack for a session worker: a runtime in this process, or a server elsewhere. Everything else
 * (adapters, the proof of a device, batches, retries) is the same for all.
 */
import type { Device, Precision } from '../../contract/labels.ts';
import type { RunGraph } from '../../contract/seam.ts';
import type { SampleResult, SessionReply } from '../worker-protocol.ts';
import type { GraphOrigin } from './graph-cache.ts';

/** Graphs by name, in the folder of their pack. */
export type PackGraphs = Readonly<{
  packDir: string;
  names: readonly string[];
  precision: Precision;
  /** Hashes that the manifest pins, by file of the pack. */
  sha256: Readonly<Record<string, string>>;
}>;

export type OpenOptions = Readonly<{
  device: Device;
  /** Which of several such devices. */
  deviceIndex: number;
  threads: number;
  /** Folder of optimised graphs, or null to do without. */
  graphCache: string | null;
  /** Whether `placement` will be asked for: watching may slow the first runs down. */
  watched: boolean;
}>;

/** How many nodes of the graphs ran on the device that was asked for. */
export type Placement = Readonly<{ nodesOnDevice: number; nodesInAll: number }>;

export type OpenedGraphs = Readonly<{
  run: RunGraph;
  /** `cached` only if every graph was. */
  origin: GraphOrigin;
  /** Of the runs so far, where they are watched; ends the watching. */
  placement: () => Promise<Placement>;
  close: () => Promise<void>;
}>;

export type LanePlan = Readonly<{
  /** Sessions that run side by side, each with its own batch. */
  lanes: number;
  threadsPerLane: number;
}>;

type RunFailure = Extract<SampleResult, { kind: 'failed' }>['code'];

export type SessionBackend = Readonly<{
  /** Name and version, for a person. */
  runtime: string;
  /** Devices to try for what was asked, best first. */
  candidates: (requested: Device | 'auto') => readonly Device[];
  /** Why there is no such device; null where there may be one. */
  problem: (device: Device, index: number) => Error | null;
  /** What of these graphs the pack lacks; null for nothing. */
  lacks: (graphs: PackGraphs) => string | null;
  plan: (graphs: PackGraphs, device: Device, threads: number) => LanePlan;
  /** Whether the device prepares itself anew for each batch size, so that each is run once before the first batch. */
  warmsSizes: (device: Device) => boolean;
  /** @throws Error with the reason why they cannot be opened. */
  open: (graphs: PackGraphs, options: OpenOptions) => Promise<OpenedGraphs>;
  /** What an error of a run or of opening says, as the backend words it. */
  failureOf: (detail: string) => Exclude<RunFailure, 'not_finite'>;
}>;

/** Thrown when an output holds NaN or an infinity: never a verdict. */
export class NotFinite extends Error {}

/** A pack cannot be opened here. */
export class LoadError extends Error {
  readonly code: Extract<SessionReply, { kind: 'load_failed' }>['code'];
  constructor(code: LoadError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
