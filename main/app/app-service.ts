/** The application of a shell that stays open: an open library, what watches it, the engine's state, previews and search. */
import type { Settings } from '../contract/settings.ts';
import { VouchFailure } from '../failure.ts';
import type { Home } from '../home.ts';
import type { SpawnHost } from '../hosts/host.ts';
import { bySets } from '../library/statement-source.ts';
import { type Finder, openFinder } from '../review/finder.ts';
import type { Store } from '../store/types.ts';
import { followSettings } from './apply-settings.ts';
import { type Core, openCore } from './core.ts';
import { type DecidingAgain, openDeciding } from './deciding.ts';
import { type EngineWatch, watchEngine } from './engine-watch.ts';
import { openEvents } from './events.ts';
import { holdJudging, type JudgingHolder } from './judging.ts';
import { everything, type LibraryService, openLibraryService } from './library-service.ts';
import { openPreviews, type Previews } from './previews.ts';
import { offerSamples } from './samples.ts';
import type { SettingsKeeper } from './settings-keeper.ts';
import { openPrecisionSettler, type PrecisionSettler } from './settle-precision.ts';
import { openWatching, type Watching } from './watching.ts';
import { type Idle, whenIdle } from './when-idle.ts';
import { type Tell, tellWindows } from './window-events.ts';

export type AppService = Omit<LibraryService, 'settings' | 'judging'> &
  Readonly<{
    settings: SettingsKeeper;
    judging: JudgingHolder;
    engine: EngineWatch;
    previews: Previews;
    watching: Watching;
    finder: Finder;
    precision: PrecisionSettler;
    deciding: DecidingAgain;
    /** A window asks for something: what is only done while nobody does must wait. */
    asked: () => void;
  }>;

export type AppServiceOptions = Readonly<{
  home: Home;
  settings: SettingsKeeper;
  tell: Tell;
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
const idleCheckMs = 250;
const defaultIdleMs = 300_000;
const closeGraceMs = 2500;

export const openAppService = async (options: AppServiceOptions): Promise<AppService> => {
  const { home, settings, root, entries, spawn, spawnImage, decoder } = options;
  const core = openCore({ home, entries, root, spawn, spawnImage });
  const store = await openStoreWith(core, options.backup);
  const events = openEvents();
  const untell = tellWindows(events, store, core.telemetry, options.tell);
  const packId = () => settings.now().engine.model;

  const judging = holdJudging(core, settings.now(), events);
  const library = openLibraryService({
    ...{ core, store, events, packId, settings: settings.now, judging: judging.current },
    statements: bySets(store, packId),
  });
  const { runs, tagger } = library;
  const watching = openWatching(library, { folders: () => watchedFolders(store), nightly: [] });
  const engine = watchEngine({
    ...{ judging, settings: settings.now, run: runs.current, decoder, events },
    explain: (thrown) => core.explain('starting the engine', thrown),
  });
  const finder = openFinder(store, judging.current, home.root, (progress) => void events.emit('search', progress));
  events.on('judged', finder.outdate);
  const previews = openPreviews({
    ...{ folder: home.previews, images: core.images, capBytes: previewCapBytes },
    pathOf: (photoId) => store.photos.pathOf(photoId),
  });

  /** Takes away the engine while no work is under way, and makes the change. */
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
  const idle = tryPrecisionsWhenIdle(library, settings.now, { judging, watching, precision }, options.idleMs);
  followSettings(settings, library, { judging, engine, idle, swapEngine });
  const deciding = openDeciding({ store, packs: core.packs, events, telemetry: core.telemetry });
  deciding.resume();

  if (await offerSamples(core, store, packId())) runs.start(everything);
  await watching.refresh();

  return {
    ...library,
    ...{ settings, judging, engine, previews, watching, finder, precision, deciding },
    asked: idle.asked,
    close: async () => {
      engine.close();
      deciding.close();
      // An engine that is just starting is not waited for: what is stored is whole, and hosts end with the app.
      await within(
        closeGraceMs,
        Promise.all([idle.close(), watching.close(), runs.close(), tagger.close()]).then(() => judging.close()),
      );
      untell();
      await store.close();
      await core.close();
    },
  };
};

const openStoreWith = async (core: Core, backup: string | null): Promise<Store> => {
  try {
    const store = await core.openStore('write');
    if (backup !== null) await store.upkeep.restore(backup);
    return store;
  } catch (thrown) {
    const error = core.explain('opening the library', thrown);
    await core.close();
    throw new VouchFailure(error, { cause: thrown });
  }
};

const watchedFolders = async (store: Store): Promise<readonly string[]> =>
  (await store.folders.list()).filter(({ watched }) => watched).map(({ path }) => path);

const tryPrecisionsWhenIdle = (
  { runs, core }: LibraryService,
  settings: () => Settings,
  { judging, watching, precision }: Pick<AppService, 'judging' | 'watching' | 'precision'>,
  afterMs = defaultIdleMs,
): Idle => {
  /** Photos under way, of whomever; or an engine that is not itself. */
  const engineBusy = () => {
    const stats = judging.opened()?.startedEngine()?.stats();
    return !stats || stats.inEngine > 0 || stats.degradation.length > 0;
  };
  return whenIdle({
    afterMs,
    checkEveryMs: idleCheckMs,
    wanted: () => settings().engine.tryPrecisions && precision.unsettled(),
    busy: () => runs.active() || watching.busy() || engineBusy(),
    act: precision.settle,
    onFailed: (error) => core.telemetry.emit('precisions_not_tried', { error: String(error) }),
  });
};

const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))]);
