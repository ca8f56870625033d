/** Applies settings as they change: at once where the engine can take them, else with another engine. */
import type { Store } from '../store/types.ts';
import type { EngineWatch } from './engine-watch.ts';
import type { JudgingHolder } from './judging.ts';
import { everything, type LibraryService } from './library-service.ts';
import type { SettingsKeeper } from './settings-keeper.ts';
import type { Idle } from './when-idle.ts';

type AppliesTo = Readonly<{
  judging: JudgingHolder;
  engine: EngineWatch;
  idle: Idle;
  /** Takes the engine away while no work is under way, and makes the change. */
  swapEngine: (change: () => Promise<void>) => Promise<void>;
}>;

export const followSettings = (
  settings: SettingsKeeper,
  { core, store, runs, tagger }: LibraryService,
  { judging, engine, idle, swapEngine }: AppliesTo,
): void => {
  settings.onChange((now, before) => {
    idle.asked();
    if (JSON.stringify(now.tags) !== JSON.stringify(before.tags)) void tagger.revisit(null);
    const effect = judging.apply(now);
    if (effect === 'unchanged') return;
    if (effect === 'live') return engine.refresh();
    const packChanged = now.engine.model !== before.engine.model;
    const swapped = swapEngine(async () => {
      if (packChanged) await movePack(store, before.engine.model, now.engine.model);
    });
    swapped.then(
      () => {
        if (packChanged) void runs.soon(everything);
        return engine.warmUp();
      },
      (cause: unknown) => core.telemetry.emit('settings_not_applied', { error: String(cause) }),
    );
  });
};

/** Sets follow the active pack, so that its verdicts are the ones that count. */
const movePack = async (store: Store, from: string, to: string): Promise<void> => {
  for (const set of await store.statements.list({ archived: true })) {
    if (set.packId === from) await store.statements.setPack(set.name, to);
  }
};
