/** Keeps the machine from going to sleep while a run judges; the screen may go dark. */
import { powerSaveBlocker } from 'electron/main';
import type { Run } from '../main/contract/views.ts';

/** Tell it of every change of a run. */
export const keepAwake = (wanted: () => boolean): ((run: Run) => void) => {
  let blocker: number | undefined;
  return ({ status }) => {
    const awake = status === 'running' && wanted();
    if (awake) blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (blocker !== undefined) {
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    }
  };
};
