/** What work on an open library needs of its shell. */
import type { Settings } from '../contract/settings.ts';
import type { Judging } from '../judging/judging.ts';
import type { StatementSource } from '../library/statement-source.ts';
import type { Store } from '../store/types.ts';
import type { Core } from './core.ts';
import type { AppBus } from './events.ts';

export type LibraryParts = Readonly<{
  core: Core;
  /** Open for writing; whoever opened it closes it. */
  store: Store;
  events: AppBus;
  settings: () => Settings;
  /** Id of the pack that judges. */
  packId: () => string;
  judging: () => Promise<Judging>;
  statements: StatementSource;
}>;
