/** The icon in the system's tray: how far a scan is, and the way back to the window. */
import { nativeImage } from 'electron/common';
import { Menu, Tray } from 'electron/main';
import type { Run } from '../main/contract/views.ts';
import type { Words } from './words.ts';

type TrayPorts = Readonly<{ icon: string; open: () => void; quit: () => void }>;
export type TrayIcon = Readonly<{
  speak: (words: Words) => void;
  show: (run: Run) => void;
  destroy: () => void;
}>;

/** What the icon says of a run. */
const trayText = (words: Words, run: Run | undefined): string =>
  run && (run.status === 'running' || run.status === 'paused')
    ? words.progress.replace('{done}', String(run.photos.done)).replace('{found}', String(run.photos.found))
    : words.idle;

export const openTray = (ports: TrayPorts, first: Words): TrayIcon => {
  const tray = new Tray(nativeImage.createFromPath(ports.icon).resize({ width: 22, height: 22 }));
  let words = first;
  let run: Run | undefined;
  let said = '';
  const say = () => {
    const text = trayText(words, run);
    if (text === said) return;
    said = text;
    tray.setToolTip(text);
  };
  const speak = (next: Words) => {
    words = next;
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: words.open, click: ports.open },
        { type: 'separator' },
        { label: words.quit, click: ports.quit },
      ]),
    );
    say();
  };
  tray.on('click', ports.open);
  speak(first);
  return {
    speak,
    show: (next) => {
      run = next;
      say();
    },
    destroy: () => tray.destroy(),
  };
};
