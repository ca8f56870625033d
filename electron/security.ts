/** What no page of ours may do: leave its address, open windows, embed others, ask for permissions, reach a network. */
import type { App, Session } from 'electron/main';

const foreign = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file://*/*'];

export const lockDown = (app: App): void => {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
};

/** Vouch is offline: not even a page that went wrong gets out. */
export const lockSession = (session: Session): void => {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest({ urls: foreign }, (_details, answer) => answer({ cancel: true }));
  session.on('will-download', (event) => event.preventDefault());
};
