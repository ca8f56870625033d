/**
 * Judges folder trees: walks them, asks the store what is known, has the engine look at the rest, has the verdicts
 * made and stores each handful in one transaction, so that a kill costs at most what is in flight.
 */
import pMap from 'p-map';
import { vouchError } from '../contract/error.ts';
import type { QuarantineReason } from '../contract/photo.ts';
import { VouchFailure } from '../failure.ts';
import type { Encoded, Engine, NotDone } from '../inference/engine-types.ts';
import type {
  FileStat,
  JudgedFile,
  Judging,
  NewVerdict,
  PathKnown,
  PathState,
  PhotoKey,
  Store,
  Want,
} from '../store/types.ts';
import { markGone } from './gone.ts';
import { type Meter, startMeter } from './meter.ts';
import { openSink } from './sink.ts';
import { walk } from './walk.ts';

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
  roots: readonly string[];
  want: Want;
  judging: Omit<Judging, 'at' | 'device' | 'precision' | 'degraded'>;
  inputSize: number;
  preprocessVersion: number;
  retryQuarantined: boolean;
}>;

export type ScanPorts = Readonly<{
  store: Store;
  /** Starts the engine at the first photo that needs it. */
  engine: () => Promise<Engine>;
  /** Verdicts for photos just looked at, one list per photo. */
  judge: (photos: readonly Encoded[]) => Promise<readonly (readonly NewVerdict[])[]>;
  /** Judges what evidence is stored but verdicts are not; runs no model. */
  rescore: (photos: Uint32Array) => Promise<void>;
  onProgress: (progress: ScanProgress) => void;
  signal: AbortSignal;
  /** Resolves at once unless the scan is paused. */
  whileRunning: () => Promise<void>;
}>;

const lookupChunk = 256;
/** The engine bounds what it works on; this only bounds the promises. */
const askedAtOnce = 64;
const sinkLimits = { size: 32, delayMs: 250, backlog: 4 };

type Tally = { found: number; judged: number; cached: number; quarantined: number; ignored: number };

export const scan = async (plan: ScanPlan, ports: ScanPorts): Promise<ScanOutcome> => {
  const { store, signal } = ports;
  const tally: Tally = { found: 0, judged: 0, cached: 0, quarantined: 0, ignored: 0 };
  const quarantined: { path: string; reason: QuarantineReason }[] = [];
  const latenciesMs: number[] = [];
  const meter = startMeter();
  let discovering = true;
  const tell = () => ports.onProgress(progressOf(tally, discovering, meter));

  const quarantine = async (file: FileStat, reason: QuarantineReason, fileHash: string | null) => {
    if (reason.code === 'vanished') {
      tally.found--;
      return;
    }
    await store.quarantine.record([{ ...file, fileHash, reason, at: Date.now() }]);
    noteQuarantined(file.path, reason);
  };
  const noteQuarantined = (path: string, reason: QuarantineReason) => {
    quarantined.push({ path, reason });
    tally.quarantined++;
    tell();
  };
  /** Known photos that lack a verdict; their evidence is at hand. */
  const stale: PhotoKey[] = [];
  const noteCached = (state: PathKnown) => {
    tally.cached++;
    if (state.missing.length > 0) stale.push(state.photo.key);
  };

  const sink = openSink(sinkLimits, async (photos: readonly Finished[]) => {
    const engine = await ports.engine();
    const { device, precision } = engine.info();
    const verdicts = await ports.judge(photos.map((photo) => photo.encoded));
    const files: readonly JudgedFile[] = photos.map(({ file, encoded }, i) => ({
      path: file.path,
      identity: encoded.identity,
      info: encoded.info,
      evidence: encoded.evidence && {
        inputSize: plan.inputSize,
        preprocessVersion: plan.preprocessVersion,
        blob: encoded.evidence,
      },
      verdicts: verdicts[i] ?? [],
    }));
    await store.photos.recordJudged(
      { ...plan.judging, device: device.used, precision, degraded: false, at: Date.now() },
      files,
    );
    for (const { encoded } of photos) latenciesMs.push(latencyOf(encoded));
    tally.judged += photos.length;
    meter.mark(photos.length);
    tell();
  });

  /** Contents being looked at now, until they are stored: a copy waits instead of being judged twice. */
  const inFlight = new Map<string, Promise<void>>();

  const look = async (file: FileStat): Promise<void> => {
    await sink.room();
    const engine = await ports.engine();
    const opened = await engine.identify(file.path, { signal });
    if (!opened.ok)
      return opened.kind === 'quarantine' ? quarantine(file, opened.reason, null) : giveUp(opened, signal);
    const { identity } = opened;
    for (let same = inFlight.get(identity.fileHash); same; same = inFlight.get(identity.fileHash)) await same;

    let settle: () => void = () => undefined;
    inFlight.set(identity.fileHash, new Promise<void>((resolve) => (settle = resolve)));
    const done = () => {
      inFlight.delete(identity.fileHash);
      settle();
    };
    try {
      const [state] = await store.photos.attach([{ path: file.path, identity }], plan.want);
      if (state && isCached(state)) {
        opened.release();
        noteCached(state);
        tell();
        return done();
      }
      // Many are asked for at once, and wait for a place in the engine: a pause holds those too.
      await ports.whileRunning();
      const encoded = await opened.encode({ client: 'scan', signal });
      if (encoded.ok) {
        // Not awaited: the next photo need not wait for this one to be stored. A failure comes up in sink.close().
        sink.put({ file, encoded }).then(done, done);
        return;
      }
      if (encoded.kind === 'quarantine') await quarantine(file, encoded.reason, identity.fileHash);
      else giveUp(encoded, signal);
      done();
    } catch (error) {
      done();
      throw error;
    }
  };

  const listing = await listRoots(plan.roots);
  tally.found = listing.files.length;
  tally.ignored = listing.ignored;
  discovering = false;
  tell();

  const todo: FileStat[] = [];
  for (let at = 0; at < listing.files.length && !signal.aborted; at += lookupChunk) {
    const files = listing.files.slice(at, at + lookupChunk);
    const states = await store.photos.lookup(files, plan.want);
    states.forEach((state, i) => {
      const file = files[i]!;
      if (isCached(state)) noteCached(state);
      else if (state.state === 'quarantined' && !plan.retryQuarantined) noteQuarantined(file.path, state.reason);
      else todo.push(file);
    });
    tell();
  }
  meter.expect(todo.length);

  if (todo.length > 0 && !signal.aborted) {
    await pMap(
      todo,
      async (file) => {
        await ports.whileRunning();
        if (signal.aborted) return;
        try {
          await look(file);
        } catch (error) {
          if (!signal.aborted) throw error;
        }
      },
      { concurrency: askedAtOnce },
    );
  }
  await sink.close();
  if (!signal.aborted) {
    if (stale.length > 0) await ports.rescore(Uint32Array.from(stale));
    await markGone(store, plan.roots, new Set(listing.files.map((file) => file.path)));
  }
  return { photos: { ...tally }, quarantined, latenciesMs, interrupted: signal.aborted };
};

/** No model need look at it: there is evidence, or it is flat, or (for a joint pack) every verdict is there. */
const isCached = (state: PathState): state is PathKnown =>
  state.state === 'known' && (state.evidence || state.photo.flat || state.missing.length === 0);

/** A photo that is not to blame stays as it was, for the next run; only a dead engine ends this one. */
const giveUp = (why: NotDone, signal: AbortSignal): void => {
  if (why.code === 'engine_down' && !signal.aborted)
    throw new VouchFailure(vouchError('engine_unavailable', { detail: why.detail }, true));
};

type Finished = Readonly<{ file: FileStat; encoded: Encoded }>;

const latencyOf = ({ info, timing }: Encoded): number => {
  const { read, decode, prescreen, views } = info.timingMs;
  return read + decode + prescreen + views + timing.runMs;
};

const progressOf = (tally: Tally, discovering: boolean, meter: Meter): ScanProgress => ({
  discovering,
  ...tally,
  photosPerSecond: meter.perSecond(),
  etaMs: discovering ? null : meter.etaMs(),
});

const listRoots = async (
  roots: readonly string[],
): Promise<Readonly<{ files: readonly FileStat[]; ignored: number }>> => {
  const files = new Map<string, FileStat>();
  let ignored = 0;
  for (const root of roots) {
    const walked = await walk(root);
    for (const file of walked.files) files.set(file.path, file);
    ignored += walked.ignored;
  }
  return { files: [...files.values()], ignored };
};
