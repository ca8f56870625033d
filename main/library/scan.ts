/**
 * Judges folder trees: walks them, asks the store what is known, has the engine look at the rest, has the verdicts
 * made and stores each handful in one transaction, so that a kill costs at most what is in flight.
 */
import pMap from 'p-map';
import type { QuarantineReason } from '../contract/photo.ts';
import type { Engine } from '../inference/core/engine-types.ts';
import type { Looked } from '../judging/encoded.ts';
import type { FileStat, Judging, NewVerdict, PathKnown, PhotoKey, Store, Want } from '../store/types.ts';
import { needsNoModel, openLooker } from './encode-file.ts';
import type { Root } from './folders.ts';
import { markGone } from './gone.ts';
import { startTally, type Tally } from './tally.ts';
import { walkAll } from './walk.ts';

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
  judging: Omit<Judging, 'at' | 'device' | 'precision' | 'degraded'>;
  preprocessVersion: number;
  /** What a joint pack is asked of each photo; empty for a separable one. */
  parts: readonly string[];
  retryQuarantined: boolean;
}>;

export type ScanPorts = Readonly<{
  store: Store;
  /** Starts the engine at the first photo that needs it. */
  engine: () => Promise<Engine>;
  /** Verdicts for photos just looked at, one list per photo. */
  judge: (photos: readonly Looked[]) => Promise<readonly (readonly NewVerdict[])[]>;
  /** Judges what evidence is stored but verdicts are not; runs no model. */
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

const lookupChunk = 256;
/** The engine bounds what it works on; this only bounds the promises. */
const askedAtOnce = 64;

export const scan = async (plan: ScanPlan, ports: ScanPorts): Promise<ScanOutcome> => {
  const { store, signal } = ports;
  const tally = startTally(ports.onProgress);
  /** Known photos that lack a verdict; their evidence is at hand. */
  const stale: PhotoKey[] = [];
  const noteCached = ({ photo, missing }: PathKnown) => {
    if (missing.length > 0) stale.push(photo.key);
  };

  const { files, ignored } = plan.files ? { files: plan.files, ignored: 0 } : await walkAll(plan.roots);
  tally.listed(files.length, ignored);
  const todo = await unknownOf(files, plan, ports, tally, noteCached);
  tally.expect(todo.length);
  const looker = openLooker(plan, ports, tally, noteCached);
  await lookAtAll(todo, looker.look, ports);
  // Once more what missed its time limit, after everything else.
  await lookAtAll(looker.putOff(), looker.lookAgain, ports);
  await looker.close();
  if (!signal.aborted) {
    if (stale.length > 0) {
      await ports.rescore(Uint32Array.from(stale));
      ports.onJudged(await store.photos.ids(stale));
    }
    if (!plan.files) {
      const seen = new Set(files.map(({ path }) => path));
      // What was looked at may have gone meanwhile.
      for (const { path } of todo) seen.delete(path);
      await markGone(store, plan.roots, seen);
    }
  }
  return tally.outcome(signal.aborted);
};

/** The files that must be looked at: neither cached nor in quarantine. */
const unknownOf = async (
  files: readonly FileStat[],
  plan: ScanPlan,
  { store, signal }: ScanPorts,
  tally: Tally,
  onCached: (state: PathKnown) => void,
): Promise<readonly FileStat[]> => {
  const unknown: FileStat[] = [];
  for (let at = 0; at < files.length && !signal.aborted; at += lookupChunk) {
    const chunk = files.slice(at, at + lookupChunk);
    const states = await store.photos.lookup(chunk, plan.want);
    let cached = 0;
    for (const [i, file] of chunk.entries()) {
      const state = states[i]!;
      if (needsNoModel(state, plan.want.recheck)) {
        onCached(state);
        cached++;
      } else if (state.state === 'quarantined' && !plan.retryQuarantined) tally.quarantined(file.path, state.reason);
      else unknown.push(file);
    }
    tally.cached(cached);
  }
  return unknown;
};

const lookAtAll = async (
  files: readonly FileStat[],
  look: (file: FileStat) => Promise<void>,
  { signal, whileRunning }: ScanPorts,
) => {
  const lookUnlessStopped = async (file: FileStat) => {
    await whileRunning();
    if (signal.aborted) return;
    try {
      await look(file);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  await pMap(files, lookUnlessStopped, { concurrency: askedAtOnce });
};
