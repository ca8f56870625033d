/** Sends topics of the event channel to every window of ours that has a page. */
import { BrowserWindow } from 'electron/main';
import type { Events } from '../main/contract/api.ts';
import { eventChannel, type Topic } from '../main/contract/channels.ts';

export type Tell = <T extends Topic>(topic: T, event: Events[T]) => void;

export const tellWindows: Tell = (topic, event) => {
  for (const window of BrowserWindow.getAllWindows()) {
    if (!window.isDestroyed() && !window.webContents.isDestroyed()) window.webContents.send(eventChannel, topic, event);
  }
};
