/** Must be called before the app is ready, once. */
import type { Protocol } from 'electron/main';
import { previewScheme } from '../main/contract/preview.ts';
import { appScheme } from './app-protocol.ts';

export const registerSchemes = (protocol: Protocol): void =>
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
    { scheme: previewScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
