/** What the application's menu asks the window to do, with the key of each: told once for the menu and the window. */
import type { ScreenName } from './screen-names.ts';

/** Keys in the notation of tinykeys. */
export const menuCommands = {
  add_folder: '$mod+o',
  scan: '$mod+r',
  find: '$mod+f',
  inspector: 'i',
  palette: '$mod+k',
  keys: '[Shift]+?',
} as const;
export type MenuCommand = keyof typeof menuCommands;

/** What menu, tray and second instances ask the window to do. */
export type ShellCommand = Readonly<{ kind: 'show'; screen: ScreenName }> | Readonly<{ kind: MenuCommand }>;

/** The same keys as Electron writes them; a modifier that may be absent goes unsaid. */
export const acceleratorOf = (keys: string): string =>
  keys
    .replace('[Shift]+', '')
    .replace('$mod', 'CmdOrCtrl')
    .replace(/[a-z]$/, (letter) => letter.toUpperCase());
