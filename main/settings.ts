/** Reads and writes VOUCH_HOME/settings.json; a broken file is set aside, never overwritten. */
import { existsSync, readFileSync, renameSync } from 'node:fs';
import {
  changeSettings,
  defaultSettings,
  type Settings,
  type SettingsChange,
  settingsSchema,
} from './contract/settings.ts';
import { writeWhole } from './files/write-whole.ts';

/** `onBroken` hears where a broken file now is. */
export const readSettings = (file: string, onBroken: (setAside: string) => void = () => undefined): Settings => {
  if (!existsSync(file)) return defaultSettings;
  try {
    // Editors on Windows may begin a file with a byte-order mark.
    return settingsSchema.parse(JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')));
  } catch {
    const setAside = `${file}.broken-${Date.now()}`;
    renameSync(file, setAside);
    onBroken(setAside);
    return defaultSettings;
  }
};

/** Applies a change and keeps it; the file is replaced in one step. */
export const writeSettings = (file: string, settings: Settings, change: SettingsChange): Settings => {
  const next = changeSettings(settings, change);
  writeWhole(file, `${JSON.stringify(next, null, 2)}\n`);
  return next;
};
