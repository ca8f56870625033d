/** Looks at one file after another: finds out which photo it is, has the engine encode what needs it, stores the verdicts. */

import { vouchError } from '../contract/error.ts';
import { asksNothing } from '../contract/operation.ts';
import type { QuarantineReason } from '../contract/photo.ts';
import { VouchFailure } from '../failure.ts';
import type { Encoded, NotDone, OpenPhoto, PutOff } from '../inference/core/engine-types.ts';
import { photoMs } from '../inference/core/photo-ms.ts';
import type { PhotoOutcome } from '../judging/encoded.ts';
import type { PhotoQuestion } from '../judging/operation.ts';
import type { FileStat, JudgedFile, NewVerdict, PathKnown } from '../store/types.ts';
import { openKeyLock } from './key-lock.ts';
import type { AskedPhoto, ScanPlan, ScanPorts } from './scan-types.ts';
import { openSink } from './sink.ts';
import type { ScanTally } from './tally.ts';

export type FileEncoder = Readonly<{
  encode: (file: FileStat) => Promise<void>;
  /** Stores the late results of photos that missed their time limit; returns those without one, for `encodeAgain`. */
  putOff: () => readonly FileStat[];
  encodeAgain: (file: FileStat) => Promise<void>;
  /** Stores what is left; rejects with the first failure to store. */
  close: () => Promise<void>;
}>;

type MadeBy = Pick<Encoded, 'device' | 'precision' | 'degraded'>;
type Finished = AskedPhoto & Readonly<{ file: FileStat }>;
type Late = AskedPhoto & Readonly<{ outcome: Encoded }>;

const sinkLimits = { size: 32, delayMs: 250, backlog: 4 };

/**
 * There is evidence, or the photo is flat, or every verdict is there, or a joint pack has nothing to be asked, since it
 * speaks the language of no statement that is missing. Asked to judge everything again, a scan looks at flat photos
 * too: they may be flat no longer.
 */
export const needsNoModel = ({ missing, evidence, photo }: PathKnown, { want, questionOf }: ScanPlan): boolean =>
  missing.length === 0 ||
  evidence ||
  (photo.flat && want.recheck.kind !== 'all') ||
  asksNothing(questionOf(missing).operation);

/** `onCached` hears of photos that turn out to need no model. */
export const openFileEncoder = (
  plan: ScanPlan,
  ports: ScanPorts,
  tally: ScanTally,
  onCached: (state: PathKnown) => void,
): FileEncoder => {
  const { store, signal } = ports;
  /** A copy waits for its content to be stored, instead of being judged beside it. */
  const lock = openKeyLock();
  /** Contents that this scan has judged: a recheck wants each once. */
  const judgedNow = new Set<string>();

  const missed = new Map<FileStat, Late | null>();
  /** Of the missed, those that have no verdict at all yet. */
  const unjudged = new Set<FileStat>();

  const keep = async (photos: readonly Finished[]) => {
    const { device, precision } = (await ports.engine()).info();
    const verdicts = await ports.judge(photos);
    const otherwise: MadeBy = { device: device.used, precision, degraded: false };
    // A photo may come twice, put off and judged after all: apart, since one call keeps a photo's first verdicts.
    const groups = new Map<string, Readonly<{ made: MadeBy; files: JudgedFile[] }>>();
    for (const [i, photo] of photos.entries()) {
      const made = madeBy(photo.outcome, otherwise);
      const key = JSON.stringify([made, 'limitMs' in photo.outcome]);
      const group = groups.get(key) ?? { made, files: [] };
      groups.set(key, group);
      group.files.push(toStore(photo, verdicts[i] ?? [], plan));
    }
    for (const { made, files } of groups.values()) {
      const recorded = await store.photos.recordJudged({ ...plan.judging, ...made, at: Date.now() }, files);
      ports.onJudged(recorded.map(({ id }) => id));
    }
    const judged = photos.flatMap(({ outcome }) => ('limitMs' in outcome ? [] : [outcome]));
    for (const { identity } of judged) judgedNow.add(identity.fileHash);
    tally.judged(judged.map(({ info, timing }) => photoMs(info, timing, 'bulk')));
  };
  const sink = openSink(sinkLimits, keep);

  const quarantine = async (file: FileStat, reason: QuarantineReason, fileHash: string | null) => {
    if (reason.code === 'vanished' || ports.later(file, reason)) return tally.left();
    await store.quarantine.record([{ ...file, fileHash, reason, at: Date.now() }]);
    ports.telemetry.emit('quarantine', { reason: reason.code });
    tally.quarantined(file.path, reason);
  };

  /** What the photo is to be asked; null where it is known already, and needs no model. Notes that it lies here, too. */
  const questionAbout = async (file: FileStat, { identity }: OpenPhoto): Promise<PhotoQuestion | null> => {
    const [state] = await store.photos.attach([{ path: file.path, identity }], plan.want);
    const known = state?.state === 'known' ? state : null;
    const copy = judgedNow.has(identity.fileHash);
    if (!copy && !(known && needsNoModel(known, plan))) return plan.questionOf(known?.missing);
    if (!copy && known) onCached(known);
    tally.cached(1);
    if (known) ports.onJudged([known.photo.id]);
    return null;
  };

  const encode = async (
    file: FileStat,
    opened: OpenPhoto,
    { statements, operation }: PhotoQuestion,
    again: boolean,
    done: () => void,
  ): Promise<void> => {
    // Many are asked for at once, and wait for a place in the engine: a pause holds those too.
    await ports.whileRunning();
    const priority = again ? 'retry' : 'bulk';
    const encoded = await opened.encode({ priority, client: 'scan', operation, signal });
    if (encoded.ok) {
      if (encoded.info.damaged && ports.later(file, 'damaged')) {
        tally.left();
        return done();
      }
      // Not awaited: the next photo need not wait for this one to be stored. A failure comes up in sink.close().
      sink.put({ file, statements, outcome: encoded }).then(done, done);
      return;
    }
    if (encoded.kind === 'not_done' && encoded.putOff) {
      putOff(file, statements, encoded.putOff);
      sink.put({ file, statements, outcome: encoded.putOff }).then(done, done);
      return;
    }
    if (encoded.kind === 'quarantine') await quarantine(file, encoded.reason, opened.identity.fileHash);
    else giveUp(file, encoded, again);
    done();
  };

  const putOff = (file: FileStat, statements: PhotoQuestion['statements'], { late }: PutOff): void => {
    missed.set(file, null);
    void late.then((outcome) => outcome && missed.has(file) && missed.set(file, { statements, outcome }));
  };

  /**
   * A photo that is not to blame is looked at once more at the end of this run, and then stays as it was for another
   * time; it is told of, but not kept. Only an engine that is gone ends this run.
   */
  const giveUp = (file: FileStat, { code, detail }: NotDone, again: boolean): void => {
    if (signal.aborted) return;
    if (code === 'engine_down' || code === 'stopped') {
      throw new VouchFailure(vouchError('engine_unavailable', { detail }, true));
    }
    // It has its verdict already: that it was not judged in time.
    if (again && !unjudged.has(file)) tally.judged([], 1);
    else if (ports.later(file, 'not_done')) return;
    else if (again || code === 'host_killed') {
      tally.quarantined(file.path, { code: 'inference_failed', params: { error: detail || code } });
    } else {
      unjudged.add(file);
      missed.set(file, null);
    }
  };

  const encodeFile = async (file: FileStat, again: boolean): Promise<void> => {
    await sink.room();
    const engine = await ports.engine();
    const opened = await engine.identify(file.path, { signal });
    if (!opened.ok)
      return opened.kind === 'quarantine' ? quarantine(file, opened.reason, null) : giveUp(file, opened, again);
    const done = await lock(opened.identity.fileHash);
    try {
      const question = await questionAbout(file, opened);
      if (question) return await encode(file, opened, question, again, done);
      opened.release();
      done();
    } catch (error) {
      done();
      throw error;
    }
  };

  return {
    encode: (file) => encodeFile(file, false),
    encodeAgain: (file) => encodeFile(file, true),
    putOff: () => {
      const files = [...missed];
      missed.clear();
      for (const [file, late] of files) if (late) void sink.put({ file, ...late }).catch(() => undefined);
      return files.flatMap(([file, late]) => (late ? [] : [file]));
    },
    close: sink.close,
  };
};

/** What made a photo's verdicts; `otherwise` where none were made in time. */
const madeBy = (outcome: PhotoOutcome, otherwise: MadeBy): MadeBy => {
  if ('limitMs' in outcome) return otherwise;
  const { device, precision, degraded } = outcome;
  return { device, precision, degraded };
};

/** Evidence of reduced weights or a smaller input is not kept: the verdict can be made anew from better, and a later one needs better. */
const toStore = ({ file, outcome }: Finished, verdicts: readonly NewVerdict[], plan: ScanPlan): JudgedFile => {
  const { identity, info } = outcome;
  const { preprocessVersion } = plan;
  const evidence =
    'limitMs' in outcome || outcome.degraded || !outcome.evidence
      ? null
      : { inputSize: outcome.inputSize, preprocessVersion, blob: outcome.evidence };
  return {
    path: file.path,
    identity,
    info,
    evidence,
    verdicts,
  };
};
