/**
 * Judges folder trees: walks them, asks the store what is known, has the engine look at the rest, has the verdicts
 * made and stores each handful in one transaction, so that a kill costs at most what is in flight.
 */
import pMap from 'p-map';
import type { FileStat, PathKnown, RecordedPhoto } from '../store/types.ts';
import { needsNoModel, openFileEncoder } from './encode-file.ts';
import { markGone } from './gone.ts';
import type { ScanOutcome, ScanPlan, ScanPorts } from './scan-types.ts';
import { type ScanTally, startTally } from './tally.ts';
import { walkAll } from './walk.ts';

const lookupChunk = 256;
/** The engine bounds what it works on; this only bounds the promises. */
const askedAtOnce = 64;

export const scan = async (plan: ScanPlan, ports: ScanPorts): Promise<ScanOutcome> => {
  const { store, signal } = ports;
  const tally = startTally(ports.onProgress);
  /** Known photos that lack verdicts, and need no model for them. */
  const stale: RecordedPhoto[] = [];
  const noteCached = ({ photo: { key, id }, missing }: PathKnown) => {
    if (missing.length > 0) stale.push({ key, id });
  };

  const { files, ignored } = plan.files ? { files: plan.files, ignored: 0 } : await walkAll(plan.roots);
  tally.listed(files.length, ignored);
  const todo = await unknownOf(files, plan, ports, tally, noteCached);
  tally.expect(todo.length);
  const encoder = openFileEncoder(plan, ports, tally, noteCached);
  await encodeAll(todo, encoder.encode, ports);
  // Once more what missed its time limit, after everything else.
  await encodeAll(encoder.putOff(), encoder.encodeAgain, ports);
  await encoder.close();
  if (!signal.aborted) {
    if (stale.length > 0) {
      await ports.rescore(Uint32Array.from(stale, ({ key }) => key));
      ports.onJudged(stale.map(({ id }) => id));
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
  tally: ScanTally,
  onCached: (state: PathKnown) => void,
): Promise<readonly FileStat[]> => {
  const unknown: FileStat[] = [];
  for (let at = 0; at < files.length && !signal.aborted; at += lookupChunk) {
    const chunk = files.slice(at, at + lookupChunk);
    const states = await store.photos.lookup(chunk, plan.want);
    let cached = 0;
    for (const [i, file] of chunk.entries()) {
      const state = states[i]!;
      if (state.state === 'known' && needsNoModel(state, plan)) {
        onCached(state);
        cached++;
      } else if (state.state === 'quarantined' && !plan.retryQuarantined) tally.quarantined(file.path, state.reason);
      else unknown.push(file);
    }
    tally.cached(cached);
  }
  return unknown;
};

const encodeAll = async (
  files: readonly FileStat[],
  encode: (file: FileStat) => Promise<void>,
  { signal, whileRunning }: ScanPorts,
) => {
  const encodeUnlessStopped = async (file: FileStat) => {
    await whileRunning();
    if (signal.aborted) return;
    try {
      await encode(file);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  await pMap(files, encodeUnlessStopped, { concurrency: askedAtOnce });
};
