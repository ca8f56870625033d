/** What the window works on: the core, its store, the pack at work, runs and previews, for as long as the app is open. */
import type { Events } from '../contract/api.ts';
import type { Topic } from '../contract/channels.ts';
import type { Settings } from '../contract/settings.ts';
import type { Run } from '../contract/views.ts';
import type { Home } from '../home.ts';
import type { SpawnHost } from '../hosts/host.ts';
import { openTagger, type Tagger } from '../library/tagging/tagger.ts';
import { type FinishedWork, openWorkDigest } from '../library/work-digest.ts';
import { type Finder, openFinder } from '../review/finder.ts';
import type { Recheck, StatementRecord, Store } from '../store/types.ts';
import { type Core, openCore } from './core.ts';
import { type DecidingAgain, openDeciding } from './deciding.ts';
import { type EngineWatch, watchEngine } from './engine-watch.ts';
import { holdJudging, type JudgingHolder } from './judging.ts';
import { openPreviews, type Previews } from './previews.ts';
import { openRuns, type Runs, type ScanControl, type Scanned, type ScanRequest } from './runs.ts';
import { offerSamples } from './samples.ts';
import { countFolders, scanFolders } from './scans.ts';
import type { SettingsKeeper } from './settings-keeper.ts';
import { openPrecisionSettler, type PrecisionSettler } from './settle-precision.ts';
import { openWatching, type Watching } from './watching.ts';
import { whenIdle } from './when-idle.ts';

export type AppService = Readonly<{
  core: Core;
  store: Store;
  settings: SettingsKeeper;
  judging: JudgingHolder;
  runs: Runs;
  engine: EngineWatch;
  previews: Previews;
  watching: Watching;
  tagger: Tagger;
  finder: Finder;
  precision: PrecisionSettler;
  deciding: DecidingAgain;
  tell: <T extends Topic>(topic: T, event: Events[T]) => void;
  /** A window asks for something: what is only done while nobody does must wait. */
  asked: () => void;
  /** Statements have changed: judges what is known of all photos on the new ones. */
  statementsChanged: () => Promise<void>;
  /** Queues have changed, by decisions or flags on these photos (null: on many). */
  reviewChanged: (photoIds: readonly string[] | null) => void;
  /** Called with every change of a run. */
  onRun: (listener: (run: Run) => void) => void;
  /** Called with the photos that have new verdicts, or lie at a new place: by a scan or as they arrive. */
  onJudged: (listener: (photoIds: readonly string[]) => void) => void;
  /** Called once for each finished piece of work. */
  onWorkFinished: (listener: (work: FinishedWork) => void) => void;
  close: () => Promise<void>;
}>;

export type AppServiceOptions = Readonly<{
  home: Home;
  settings: SettingsKeeper;
  tell: AppService['tell'];
  /** Folder that holds models/ and resources/. */
  root: string;
  /** Folder of the built entries. */
  entries: string;
  spawn: SpawnHost;
  spawnImage: SpawnHost;
  /** How image hosts decode: 'native' or 'wasm'. */
  decoder: string;
  /** A backup to open with, in place of the database. */
  backup: string | null;
  /** How long nothing is asked for before the precisions are tried; ms. */
  idleMs?: number;
}>;

const previewCapBytes = 2 * 1024 ** 3;
/** A piece of work is finished when nothing happened for so long. */
const calmMs = 2000;
const idleLookMs = 250;
const defaultIdleMs = 300_000;
const closeGraceMs = 2500;
/** Neighbouring requests of this kind become one event. */
const resultsEveryMs = 250;

export const openAppService = async (options: AppServiceOptions): Promise<AppService> => {
  const { home, settings, tell, root, entries, spawn, spawnImage, decoder } = options;
  const core = openCore({ home, entries, root, spawn, spawnImage });
  const store = await openLibrary(core, options.backup);
  const runListeners = new Set<(run: Run) => void>();
  const judgedListeners = new Set<(photoIds: readonly string[]) => void>();
  const workListeners = new Set<(work: FinishedWork) => void>();
  let statementCount = 0;

  const judging = holdJudging(core, settings.now(), (event) => engine.onEvent(event));
  const engine = watchEngine({
    judging: () => judging,
    settings: settings.now,
    run: () => runs.current(),
    decoder,
    tell: (state) => tell('engine', state),
  });

  const activeStatements = async (packId: string): Promise<readonly StatementRecord[]> =>
    (await store.statements.list()).filter((set) => set.packId === packId).flatMap((set) => set.statements);

  const onJudged = (photoIds: readonly string[]) => {
    digest.judged(photoIds);
    tagger.nudge();
    finder.outdate();
    for (const listener of judgedListeners) listener(photoIds);
  };

  const finder = openFinder(store, judging.current, home.root, (progress) => tell('search', progress));

  const tagger = openTagger({
    store,
    rules: () => settings.now().tags,
    onTagged: () => {
      tell('results', { photoIds: null });
      tell('library', { changed: 'tags' });
    },
    onFailed: (failed) => core.telemetry.emit('sidecars_not_written', { failed: failed.slice(0, 20) }),
    onError: (error) => core.telemetry.emit('tagging_failed', { error: String(error) }),
  });

  const everything: ScanRequest = { folderIds: [], recheck: 'none', retryQuarantined: false };

  const scan = async (request: ScanRequest, control: ScanControl): Promise<Scanned> => {
    const opened = await judging.current();
    engine.refresh();
    return scanFolders(core, store, opened, {
      folderIds: request.folderIds,
      recheck: recheckOf(request, settings.now()),
      retryQuarantined: request.retryQuarantined,
      control,
      onStatements: (count) => {
        statementCount = count;
      },
      onJudged,
    });
  };

  const tellQueues = throttled(resultsEveryMs, () => {
    store.queues.counts({}).then(
      (queues) => tell('review', queues),
      (cause: unknown) => core.telemetry.emit('queues_not_counted', { error: String(cause) }),
    );
  });

  const runs = openRuns({
    scan,
    statements: () => statementCount,
    verdicts: (folderIds) => countFolders(store, folderIds, settings.now().engine.model),
    tell: (run) => {
      tell('progress', run);
      for (const listener of runListeners) listener(run);
    },
    changed: () => changed(),
    ended: () => {
      tagger.nudge();
      tell('library', { changed: 'folders' });
      tell('library', { changed: 'quarantine' });
      engine.refresh();
    },
  });

  /** Runs of which the watch waits for the end; others may come in between. */
  const runsEnded = async () => {
    while (runs.active()) await new Promise((resolve) => setTimeout(resolve, idleLookMs));
  };
  const changed = throttled(resultsEveryMs, () => {
    tell('results', { photoIds: null });
    tellQueues();
  });
  const watching = openWatching({
    ...{ core, store },
    judging: judging.current,
    packId: () => settings.now().engine.model,
    scan: async (folderIds) => {
      runs.soon({ ...everything, folderIds });
      await runsEnded();
    },
    tell: (event) => tell('library', event),
    onJudged: (photoIds) => {
      onJudged(photoIds);
      changed();
    },
    onQuarantined: (files) => digest.quarantined(files),
  });
  const digest = openWorkDigest(
    () => runs.active() || watching.busy(),
    calmMs,
    (work) => {
      for (const listener of workListeners) listener(work);
    },
  );

  const previews = openPreviews({
    folder: home.previews,
    images: core.images,
    pathOf: (photoId) => store.photos.pathOf(photoId),
    capBytes: previewCapBytes,
  });

  /** Takes away the engine between two pieces of work, and brings up the next. */
  const swapEngine = async (change: () => Promise<void>) => {
    const swapped = runs.restart(() =>
      watching.quiet(async () => {
        await judging.reopen();
        await change();
      }),
    );
    engine.replaced();
    await swapped;
  };
  const precision = openPrecisionSettler({
    ...{ core, judging, settings: settings.now },
    reopen: async () => {
      await swapEngine(async () => undefined);
      await engine.warmUp();
    },
  });
  /** Photos under way, of whomever; or an engine that is not itself. */
  const engineBusy = () => {
    const stats = judging.opened()?.startedEngine()?.stats();
    return !stats || stats.inEngine > 0 || stats.degradation.length > 0;
  };
  const idle = whenIdle({
    afterMs: options.idleMs ?? defaultIdleMs,
    lookEveryMs: idleLookMs,
    wanted: () => settings.now().engine.tryPrecisions && precision.unsettled(),
    busy: () => runs.active() || watching.busy() || engineBusy(),
    act: precision.settle,
    onFailed: (error) => core.telemetry.emit('precisions_not_tried', { error: String(error) }),
  });

  settings.onChange((now, before) => {
    idle.asked();
    if (JSON.stringify(now.tags) !== JSON.stringify(before.tags)) void tagger.revisit(null);
    const effect = judging.apply(now);
    if (effect === 'unchanged') return;
    if (effect === 'live') return engine.refresh();
    const swapped = swapEngine(async () => {
      if (now.engine.model !== before.engine.model) await movePack(store, before.engine.model, now.engine.model);
    });
    swapped.then(
      () => {
        if (now.engine.model !== before.engine.model) runs.soon(everything);
        return engine.warmUp();
      },
      (cause: unknown) => core.telemetry.emit('settings_not_applied', { error: String(cause) }),
    );
  });

  const reviewChanged = (photoIds: readonly string[] | null) => {
    tagger.nudge();
    tell('results', { photoIds });
    tellQueues();
  };
  const deciding = openDeciding({
    store,
    packs: core.packs,
    tell: (progress) => tell('deciding', progress),
    changed: () => reviewChanged(null),
    onFailed: (error) => core.telemetry.emit('not_decided_again', { error: String(error) }),
  });
  deciding.resume();

  const { model } = settings.now().engine;
  if (await offerSamples(core, store, model)) runs.start(everything);
  await watching.refresh();

  return {
    ...{ core, store, settings, judging, runs, engine, previews, watching, tagger, finder, precision, deciding, tell },
    asked: idle.asked,
    statementsChanged: async () => {
      tell('statements', { changed: 'sets' });
      tagger.nudge();
      const folders = await store.folders.list();
      if (folders.length > 0 && (await activeStatements(settings.now().engine.model)).length > 0) runs.soon(everything);
      else tell('results', { photoIds: null });
      tellQueues();
    },
    reviewChanged,
    onRun: (listener) => void runListeners.add(listener),
    onJudged: (listener) => void judgedListeners.add(listener),
    onWorkFinished: (listener) => void workListeners.add(listener),
    close: async () => {
      engine.close();
      digest.close();
      deciding.close();
      // An engine that is just starting is not waited for: what is stored is whole, and hosts end with the app.
      await within(
        closeGraceMs,
        Promise.all([idle.close(), watching.close(), runs.close(), tagger.close()]).then(() => judging.close()),
      );
      await store.close();
      await core.close();
    },
  };
};

const openLibrary = async (core: Core, backup: string | null): Promise<Store> => {
  try {
    const store = await core.openStore('write');
    if (backup !== null) await store.upkeep.restore(backup);
    return store;
  } catch (error) {
    await core.close();
    throw error;
  }
};

const recheckOf = ({ recheck }: ScanRequest, { engine }: Settings): Recheck => {
  if (recheck !== 'precision') return { kind: recheck };
  return { kind: 'precision', precision: engine.precision === 'auto' ? 'fp32' : engine.precision };
};

/** Sets follow the active pack, so that its verdicts are the ones that count. */
const movePack = async (store: Store, from: string, to: string): Promise<void> => {
  for (const set of await store.statements.list({ archived: true })) {
    if (set.packId === from) await store.statements.setPack(set.name, to);
  }
};

const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))]);

const throttled = (everyMs: number, act: () => void): (() => void) => {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      act();
    }, everyMs);
  };
};
