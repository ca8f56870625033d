import type { Handlers } from '../../contract/api.ts';
import type { SettingsKeeper } from '../settings-keeper.ts';

export const settingsHandlers = (settings: SettingsKeeper): Handlers['settings'] => ({
  get: async () => settings.now(),
  set: async (change) => settings.change(change),
});
