/** The only door between page and app: `window.vouch`, with exactly the channels of the contract. Sandboxed, CommonJS. */
import { contextBridge, ipcRenderer, webUtils } from 'electron/renderer';
import type { CallOptions } from '../main/contract/api.ts';
import { cancelChannel, channels, eventChannel, topics } from '../main/contract/channels.ts';

type Listener = (event: unknown) => void;

const listeners = new Map<string, Set<Listener>>(topics.map((topic) => [topic, new Set()]));
ipcRenderer.on(eventChannel, (_event, topic: string, payload: unknown) => {
  for (const listener of listeners.get(topic) ?? []) listener(payload);
});

const call = (channel: string) => (input?: unknown, options?: CallOptions) =>
  ipcRenderer.invoke(channel, input, options?.requestId);

const areas = Object.fromEntries(
  Object.entries(channels).map(([area, names]) => [
    area,
    Object.fromEntries(names.map((name) => [name, call(`${area}.${name}`)])),
  ]),
);

contextBridge.exposeInMainWorld('vouch', {
  ...areas,
  on: (topic: string, listener: Listener) => {
    listeners.get(topic)?.add(listener);
    return () => {
      listeners.get(topic)?.delete(listener);
    };
  },
  cancel: (requestId: string) => ipcRenderer.send(cancelChannel, requestId),
  pathOf: (file: File) => webUtils.getPathForFile(file),
});
