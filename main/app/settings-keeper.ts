/** The settings of this run of the app: read once, written at each change, told to whoever listens. */
import type { Settings, SettingsChange } from '../contract/settings.ts';
import { readSettings, writeSettings } from '../settings.ts';

export type SettingsKeeper = Readonly<{
  now: () => Settings;
  change: (change: SettingsChange) => Settings;
  onChange: (listener: (settings: Settings, before: Settings) => void) => void;
}>;

export const keepSettings = (file: string): SettingsKeeper => {
  let settings = readSettings(file);
  const listeners = new Set<(settings: Settings, before: Settings) => void>();
  return {
    now: () => settings,
    change: (change) => {
      const before = settings;
      settings = writeSettings(file, settings, change);
      for (const listener of listeners) listener(settings, before);
      return settings;
    },
    onChange: (listener) => void listeners.add(listener),
  };
};
