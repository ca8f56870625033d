/** Watches library folders with the core at hand: what arrives is judged on the statements of its folder. */
import { setMaxListeners } from 'node:events';
import type { WatchState } from '../../contract/folder.ts';
import type { QuarantineReason } from '../../contract/photo.ts';
import type { Judging, JudgingCore } from '../../judging/judging.ts';
import type { FileStat, StatementRecord, Store } from '../../store/types.ts';
import type { Root } from '../folders.ts';
import { runScan } from '../run-scan.ts';
import { isPhotoFile } from '../walk.ts';
import { endsInNothing } from './ending.ts';
import { defaultTiming, type WatchTiming } from './folder-watch.ts';
import { openWatch, type Watch } from './watch.ts';

type ArrivalPorts = Readonly<{
  core: JudgingCore;
  store: Store;
  judging: () => Promise<Judging>;
  /** What the photos of a folder are judged on; none: they wait for a statement. */
  statements: (folder: string) => Promise<readonly StatementRecord[]>;
  /** Looks through a whole folder: at the start, and where changes may have been missed. */
  reconcile: (root: Root) => Promise<void>;
  onJudged: (photoIds: readonly string[]) => void;
  onQuarantined: (files: readonly Readonly<{ path: string; reason: QuarantineReason }>[]) => void;
  onGone: (paths: readonly string[]) => void;
  onState: (folder: string, state: WatchState) => void;
  /** Work that failed; it is tried again. */
  onFailed: (error: unknown) => void;
  /** Ends the handful under way. */
  signal: AbortSignal;
}>;

export const watchArrivals = (ports: ArrivalPorts, timing: WatchTiming = defaultTiming): Watch => {
  const { core, store, signal } = ports;
  return openWatch(
    {
      store,
      reconcile: ports.reconcile,
      state: ports.onState,
      failed: ports.onFailed,
      gone: ports.onGone,
      judge: async (root, files, later) => {
        const images = await Promise.all(files.map(({ path }) => isPhotoFile(path)));
        const others = files.filter((_, i) => !images[i]).map(({ path }) => path);
        if (others.length > 0) await store.photos.markGone(others);
        const statements = await ports.statements(root.path);
        const photos: FileStat[] = [];
        for (const [i, file] of files.entries()) {
          const isAwaited = images[i] && (await endsInNothing(file)) && later(file, 'damaged');
          if (images[i] && !isAwaited) photos.push(file);
        }
        if (photos.length === 0 || statements.length === 0) return;
        const judging = await ports.judging();
        const { quarantined } = await stoppable(signal, (stop) =>
          runScan(core, store, judging, {
            roots: [root.path],
            arrived: { files: photos, later },
            statements,
            recheck: { kind: 'none' },
            // They have changed, or are new.
            retryQuarantined: true,
            signal: stop,
            onJudged: ports.onJudged,
          }),
        );
        if (quarantined.length > 0) ports.onQuarantined(quarantined);
      },
    },
    timing,
  );
};

/** Gives the work a signal of its own: on one that lives as long as the app, listeners would pile up. */
const stoppable = async <T>(signal: AbortSignal, work: (stop: AbortSignal) => Promise<T>): Promise<T> => {
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  const stop = () => own.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await work(own.signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};
