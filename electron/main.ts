/** The desktop shell: one window around the core. Nothing here may wait for `ready` at the top level of the module. */
import { join } from 'node:path';
import { app, BrowserWindow, dialog, ipcMain, nativeTheme, protocol, session } from 'electron/main';
import { lateHandlers } from '../main/app/handlers/late.ts';
import { settingsHandlers } from '../main/app/handlers/settings.ts';
import { keepSettings } from '../main/app/settings-keeper.ts';
import type { ShellCommand } from '../main/contract/menu.ts';
import { themeSourceOf } from '../main/contract/themes.ts';
import { errorOf } from '../main/failure.ts';
import { locateHome, makeHome } from '../main/home.ts';
import { appOrigin, serveApp } from './app-protocol.ts';
import { openDesktopCore } from './core.ts';
import { displayFirst } from './display-first.ts';
import { tellWindows } from './events.ts';
import { type Explain, type IsOurs, registerChannels } from './ipc.ts';
import { keepAwake } from './keep-awake.ts';
import { setMenu } from './menu.ts';
import { notifier } from './notify.ts';
import { servePhotos } from './photo-protocol.ts';
import { registerSchemes } from './schemes.ts';
import { lockDown, lockSession } from './security.ts';
import { keepStart } from './start.ts';
import { openTray } from './tray.ts';
import { openWindow, paint, raise } from './window.ts';
import { wordsFor } from './words.ts';

/** A core that does not close in this time is left to the operating system; what it stored is safe. */
const quitLimitMs = 8000;

const home = locateHome(undefined);
makeHome(home);
// Chromium's own data, and with it the lock of a single instance, belong to the home too.
app.setPath('userData', join(home.root, 'shell'));
registerSchemes(protocol);
lockDown(app);

const dist = join(app.getAppPath(), 'dist');
const icon = join(app.getAppPath(), 'resources', 'icons', 'vouch.png');

/** The window whose page a call came from, if it is ours and the page is the one we loaded into it. */
const isOurs: IsOurs = ({ sender, senderFrame }) =>
  senderFrame !== null &&
  senderFrame === sender.mainFrame &&
  BrowserWindow.fromWebContents(sender) !== null &&
  senderFrame.url.startsWith(`${appOrigin}/`);

const start = (): void => {
  const settings = keepSettings(home.settings);
  const words = () => wordsFor(settings.now().language, app.getLocale());
  const theme = () => settings.now().theme;
  nativeTheme.themeSource = themeSourceOf(theme());

  lockSession(session.defaultSession);
  serveApp(protocol, join(dist, 'renderer'));
  const library = keepStart({ home, open: (backup) => openDesktopCore(home, settings, tellWindows, words, backup) });
  servePhotos(protocol, async () => (await library.core()).service.previews);
  /** Until the core is there, nothing can be written down. */
  let explain: Explain = (_, thrown) => errorOf(thrown);
  library.whenOpen(({ service }) => {
    explain = service.core.explain;
  });
  const late = lateHandlers(
    ['app', 'library', 'statements', 'results', 'export', 'review', 'quality', 'search', 'engine', 'runs'],
    async () => {
      const { service, handlers } = await library.core();
      service.asked();
      return handlers;
    },
  );
  registerChannels(
    ipcMain,
    { ...late, start: library.handlers, settings: settingsHandlers(settings) },
    isOurs,
    (channel, thrown) => {
      const error = explain(channel, thrown);
      if (error.code === 'unexpected') console.error(`${channel}:`, thrown);
      return error;
    },
  );

  const stateFile = join(home.root, 'window.json');
  const open = () => openWindow({ stateFile, preload: join(dist, 'preload', 'preload.cjs'), icon, theme });
  const show = () => {
    const [window] = BrowserWindow.getAllWindows();
    if (window) raise(window);
    else open();
  };
  const command = (wanted: ShellCommand) => {
    show();
    tellWindows('command', wanted);
  };
  const tray = openTray({ icon, open: show, quit: () => app.quit() }, words());
  const speak = () => {
    setMenu({ words: words(), command, development: !app.isPackaged });
    tray.speak(words());
  };
  speak();
  settings.onChange((now, before) => {
    nativeTheme.themeSource = themeSourceOf(now.theme);
    for (const window of BrowserWindow.getAllWindows()) paint(window, now.theme);
    if (now.language !== before.language) speak();
    tellWindows('settings', now);
  });
  let watching = (): boolean => false;
  library.whenOpen(({ service }) => {
    service.events.on('runChanged', tray.show);
    service.events.on(
      'runChanged',
      displayFirst(() => settings.now().engine.priority),
    );
    service.events.on(
      'runChanged',
      keepAwake(() => settings.now().engine.keepAwake),
    );
    const { store, core } = service;
    const wanted = () => settings.now().notifications;
    service.events.on('workFinished', notifier({ words, store, telemetry: core.telemetry, wanted, open: show }));
    watching = service.watching.active;
  });

  app.on('second-instance', show);
  app.on('activate', show);
  app.on('window-all-closed', () => {
    // What is watched goes on being judged, in the tray.
    if (process.platform !== 'darwin' && !watching()) app.quit();
  });
  // Finished work is stored and the hosts are told to stop before the process goes.
  let closed = false;
  app.on('will-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    const limit = new Promise((resolve) => setTimeout(resolve, quitLimitMs));
    void Promise.race([
      library
        .core()
        .then(({ service }) => service.close())
        .catch(() => undefined),
      limit,
    ]).then(() => {
      closed = true;
      tray.destroy();
      // Not from within the event: Electron 33 then never gets to its end.
      setImmediate(() => app.quit());
    });
  });
  // The engine starts once there is a window to look at, so that it does not hold the window up.
  open().once('show', () => library.whenOpen(({ service }) => void service.engine.warmUp()));
};

if (app.requestSingleInstanceLock()) {
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      dialog.showErrorBox(wordsFor('system', app.getLocale()).failedTitle, String(error));
      app.exit(1);
    });
} else app.quit();
