/** Looks at one file after another: finds out which photo it is, has the engine encode what needs it, stores the verdicts. */
import { vouchError } from '../contract/error.ts';
import type { QuarantineReason } from '../contract/photo.ts';
import { VouchFailure } from '../failure.ts';
import type { Encoded, NotDone, OpenPhoto } from '../inference/engine-types.ts';
import type { FileStat, PathKnown, PathState, Recheck } from '../store/types.ts';
import type { ScanPlan, ScanPorts } from './scan.ts';
import { openSink } from './sink.ts';
import type { Tally } from './tally.ts';
import { openTurns } from './turns.ts';

export type Looker = Readonly<{
  look: (file: FileStat) => Promise<void>;
  /** Stores what is left; rejects with the first failure to store. */
  close: () => Promise<void>;
}>;

type Finished = Readonly<{ file: FileStat; encoded: Encoded }>;

const sinkLimits = { size: 32, delayMs: 250, backlog: 4 };

/**
 * There is evidence, or the photo is flat, or (for a joint pack) every verdict is there. Asked to judge everything again,
 * a scan looks at flat photos too: they may be flat no longer.
 */
export const needsNoModel = (state: PathState, { kind }: Recheck): state is PathKnown =>
  state.state === 'known' && (state.missing.length === 0 || state.evidence || (state.photo.flat && kind !== 'all'));

/** `onCached` hears of photos that turn out to need no model. */
export const openLooker = (
  plan: ScanPlan,
  ports: ScanPorts,
  tally: Tally,
  onCached: (state: PathKnown) => void,
): Looker => {
  const { store, signal } = ports;
  /** A copy waits for its content to be stored, instead of being judged beside it. */
  const turnOf = openTurns();
  /** Contents that this scan has judged: a recheck wants each once. */
  const judgedNow = new Set<string>();

  const sink = openSink(sinkLimits, async (photos: readonly Finished[]) => {
    const engine = await ports.engine();
    const { device, precision } = engine.info();
    const verdicts = await ports.judge(photos.map(({ encoded }) => encoded));
    const { inputSize, preprocessVersion } = plan;
    const keys = await store.photos.recordJudged(
      { ...plan.judging, device: device.used, precision, degraded: false, at: Date.now() },
      photos.map(({ file, encoded: { identity, info, evidence } }, i) => ({
        path: file.path,
        identity,
        info,
        evidence: evidence && { inputSize, preprocessVersion, blob: evidence },
        verdicts: verdicts[i] ?? [],
      })),
    );
    for (const { encoded } of photos) judgedNow.add(encoded.identity.fileHash);
    tally.judged(photos.map(({ encoded }) => latencyOf(encoded)));
    ports.onJudged(await store.photos.ids(keys));
  });

  const quarantine = async (file: FileStat, reason: QuarantineReason, fileHash: string | null) => {
    if (reason.code === 'vanished' || ports.later(file, reason)) return tally.left();
    await store.quarantine.record([{ ...file, fileHash, reason, at: Date.now() }]);
    tally.quarantined(file.path, reason);
  };

  /** A photo that is not to blame stays as it was, for another time; only a dead engine ends this run. */
  const giveUp = (file: FileStat, why: NotDone): void => {
    if (signal.aborted) return;
    if (why.code === 'engine_down') {
      throw new VouchFailure(vouchError('engine_unavailable', { detail: why.detail }, true));
    }
    ports.later(file, 'not_done');
  };

  /** Whether the photo is known already, and needs no model. Notes that it lies here, too. */
  const isKnown = async (file: FileStat, { identity }: OpenPhoto): Promise<boolean> => {
    const [state] = await store.photos.attach([{ path: file.path, identity }], plan.want);
    const copy = judgedNow.has(identity.fileHash);
    if (!state || !(copy || needsNoModel(state, plan.want.recheck))) return false;
    if (!copy && state.state === 'known') onCached(state);
    tally.cached(1);
    if (state.state === 'known') ports.onJudged([state.photo.id]);
    return true;
  };

  const encode = async (file: FileStat, opened: OpenPhoto, done: () => void): Promise<void> => {
    // Many are asked for at once, and wait for a place in the engine: a pause holds those too.
    await ports.whileRunning();
    const encoded = await opened.encode({ client: 'scan', parts: plan.parts, signal });
    if (encoded.ok) {
      if (encoded.info.damaged && ports.later(file, 'damaged')) {
        tally.left();
        return done();
      }
      // Not awaited: the next photo need not wait for this one to be stored. A failure comes up in sink.close().
      sink.put({ file, encoded }).then(done, done);
      return;
    }
    if (encoded.kind === 'quarantine') await quarantine(file, encoded.reason, opened.identity.fileHash);
    else giveUp(file, encoded);
    done();
  };

  return {
    look: async (file) => {
      await sink.room();
      const engine = await ports.engine();
      const opened = await engine.identify(file.path, { signal });
      if (!opened.ok) {
        return opened.kind === 'quarantine' ? quarantine(file, opened.reason, null) : giveUp(file, opened);
      }
      const done = await turnOf(opened.identity.fileHash);
      try {
        if (!(await isKnown(file, opened))) return await encode(file, opened, done);
        opened.release();
        done();
      } catch (error) {
        done();
        throw error;
      }
    },
    close: sink.close,
  };
};

const latencyOf = ({ info, timing }: Encoded): number => {
  const { read, decode, prescreen, views } = info.timingMs;
  return read + decode + prescreen + views + timing.runMs;
};
