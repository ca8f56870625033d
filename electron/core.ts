/** The application with its handlers, as the shell uses them. */

import { join } from 'node:path';
import { shell } from 'electron/common';
import { app, BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron/main';
import { type AppService, openAppService } from '../main/app/app-service.ts';
import { appHandlers } from '../main/app/handlers/app.ts';
import { engineHandlers, runHandlers } from '../main/app/handlers/engine.ts';
import { type ExportShell, exportHandlers } from '../main/app/handlers/export.ts';
import { type LibraryShell, libraryHandlers } from '../main/app/handlers/library.ts';
import { qualityHandlers } from '../main/app/handlers/quality.ts';
import { resultHandlers } from '../main/app/handlers/results.ts';
import { type ReviewShell, reviewHandlers } from '../main/app/handlers/review.ts';
import { searchHandlers } from '../main/app/handlers/search.ts';
import { type StatementShell, statementHandlers } from '../main/app/handlers/statements.ts';
import type { SettingsKeeper } from '../main/app/settings-keeper.ts';
import type { Handlers } from '../main/contract/api.ts';
import type { Home } from '../main/home.ts';
import type { Tell } from './events.ts';
import { imageHosts, spawnUtility } from './utility-spawn.ts';
import type { Words } from './words.ts';

export type OpenedCore = Readonly<{ service: AppService; handlers: Omit<Handlers, 'settings' | 'start'> }>;

/** The system's dialogs and file manager. A dialog belongs to the window, where there is one. */
const systemShell = (words: () => Words): LibraryShell & StatementShell & ReviewShell & ExportShell => {
  const open = async (options: OpenDialogOptions): Promise<readonly string[]> => {
    const [window] = BrowserWindow.getAllWindows();
    return (await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))).filePaths;
  };
  const setFiles = () => [{ name: words().statementSets, extensions: ['yaml', 'yml'] }];
  const save = async (options: SaveDialogOptions): Promise<string | null> => {
    const [window] = BrowserWindow.getAllWindows();
    const saved = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
    return saved.canceled ? null : saved.filePath;
  };
  return {
    pickFolders: () =>
      open({
        title: words().pickFolders,
        buttonLabel: words().add,
        properties: ['openDirectory', 'multiSelections'],
      }),
    showInFileManager: (path) => shell.showItemInFolder(path),
    pickSetFiles: () =>
      open({ title: words().pickSets, filters: setFiles(), properties: ['openFile', 'multiSelections'] }),
    pickPlaceFor: (name) => save({ defaultPath: `${name.replace(/[\\/:*?"<>|]/g, '_')}.yaml`, filters: setFiles() }),
    pickPlaceForList: (name) => save({ defaultPath: name, filters: [{ name: 'CSV', extensions: ['csv'] }] }),
    pickPlaceForExport: (name) => save({ defaultPath: name }),
    pickPlaceForLog: (name) => save({ defaultPath: name }),
  };
};

export const openDesktopCore = async (
  home: Home,
  settings: SettingsKeeper,
  tell: Tell,
  words: () => Words,
  backup: string | null,
): Promise<OpenedCore> => {
  const root = app.getAppPath();
  const { spawn, decoder } = imageHosts(root);
  const system = systemShell(words);
  const service = await openAppService({
    ...{ home, settings, tell, root, decoder, backup },
    entries: join(root, 'dist', 'main'),
    spawn: spawnUtility,
    spawnImage: spawn,
  });
  return {
    service,
    handlers: {
      app: appHandlers(service, { version: app.getVersion(), locale: app.getLocale() }),
      library: libraryHandlers(service, system),
      statements: statementHandlers(service, system),
      results: resultHandlers(service),
      review: reviewHandlers(service, system),
      quality: qualityHandlers(service),
      search: searchHandlers(service),
      export: exportHandlers(service, system),
      engine: engineHandlers(service),
      runs: runHandlers(service),
    },
  };
};
