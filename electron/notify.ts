/** Tells through the system of work that was finished while the window was not in front. */
import { BrowserWindow, Notification } from 'electron/main';
import type { FinishedWork } from '../main/library/work-digest.ts';
import type { Store } from '../main/store/types.ts';
import type { Telemetry } from '../main/telemetry/telemetry.ts';
import { digestText } from './digest-text.ts';
import type { Words } from './words.ts';

type NotifyPorts = Readonly<{
  words: () => Words;
  store: Store;
  telemetry: Telemetry;
  wanted: () => boolean;
  /** Brings the window up. */
  open: () => void;
}>;

export const notifier = ({ words, store, telemetry, wanted, open }: NotifyPorts): ((work: FinishedWork) => void) => {
  const tell = async ({ photoIds, quarantined }: FinishedWork): Promise<void> => {
    if (!wanted() || BrowserWindow.getFocusedWindow() || !Notification.isSupported()) return;
    const wantReview = await store.results.wantsReviewAmong(photoIds);
    const body = digestText(words(), photoIds.length, wantReview, quarantined);
    const notification = new Notification({ title: 'Vouch', body });
    notification.on('click', open);
    notification.show();
  };
  return (work) => void tell(work).catch((error) => telemetry.emit('not_notified', { error: String(error) }));
};
