/** The core as the shell needs it: handlers for the windows, previews, and a tidy end. */
import type { Handlers } from '../main/contract/api.ts';
import type { Run } from '../main/contract/views.ts';
import type { Home } from '../main/home.ts';
import { failWith } from './errors.ts';
import type { Tell } from './events.ts';
import type { FindPreview } from './photo-protocol.ts';
import type { SettingsKeeper } from './settings-keeper.ts';

export type DesktopCore = Readonly<{
  handlers: Omit<Handlers, 'settings'>;
  preview: FindPreview;
  onRun: (listener: (run: Run) => void) => void;
  close: () => Promise<void>;
}>;

export const openDesktopCore = async (_home: Home, _settings: SettingsKeeper, _tell: Tell): Promise<DesktopCore> =>
  failWith('not_ready', { detail: 'the core is not there yet' }, true);
