/** The window: where it was, shown once it has something to show. */
import { BrowserWindow, nativeTheme, screen } from 'electron/main';
import { type ThemeChoice, themeOf } from '../main/contract/themes.ts';
import { appPage } from './app-protocol.ts';
import { fitState, minimum, readWindowState, writeWindowState } from './window-state.ts';

export type WindowPorts = Readonly<{
  /** Where the place of the window is kept. */
  stateFile: string;
  preload: string;
  icon: string;
  theme: () => ThemeChoice;
}>;

const backgroundOf = (choice: ThemeChoice): string => themeOf(choice, nativeTheme.shouldUseDarkColors).background;

/** Gives a window the background of a theme, so that no other colour flashes before its page is there. */
export const paint = (window: BrowserWindow, choice: ThemeChoice): void =>
  window.setBackgroundColor(backgroundOf(choice));

export const openWindow = ({ stateFile, preload, icon, theme }: WindowPorts): BrowserWindow => {
  const screens = screen.getAllDisplays().map((display) => display.workArea);
  const { x, y, width, height, maximized } = fitState(readWindowState(stateFile), screens);
  const window = new BrowserWindow({
    ...(x !== null && y !== null && { x, y }),
    width,
    height,
    minWidth: minimum.width,
    minHeight: minimum.height,
    title: 'Vouch',
    icon,
    show: false,
    // The menu is there with Alt; every command also has its key and its place in the palette.
    autoHideMenuBar: true,
    backgroundColor: backgroundOf(theme()),
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  if (maximized) window.maximize();

  const repaint = () => paint(window, theme());
  nativeTheme.on('updated', repaint);
  window.once('ready-to-show', () => window.show());
  window.on('page-title-updated', (event) => event.preventDefault());
  window.on('close', () => {
    const bounds = window.getNormalBounds();
    writeWindowState(stateFile, { ...bounds, maximized: window.isMaximized() });
  });
  window.on('closed', () => nativeTheme.off('updated', repaint));
  void window.loadURL(appPage);
  return window;
};

/** Brings the window to the front, as a second start of the app does. */
export const raise = (window: BrowserWindow): void => {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
};
