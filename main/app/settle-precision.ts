/** Finds out what `auto` precision means on this machine, and has the engine run in that. */
import type { Settings } from '../contract/settings.ts';
import { tryPrecisions } from '../measure/precision-trial.ts';
import type { Core } from './core.ts';
import { type JudgingHolder, judgingOptionsOf } from './judging.ts';

type PrecisionPorts = Readonly<{
  core: Core;
  settings: () => Settings;
  judging: JudgingHolder;
  /** Opens the engine anew, between two pieces of work. */
  reopen: () => Promise<void>;
}>;

export type PrecisionSettler = Readonly<{
  /** Whether `auto` is asked for, a choice can be made, and the engine runs without one. */
  unsettled: () => boolean;
  /** Does nothing where it is settled. Throws when the signal is aborted, or nothing could be measured. */
  settle: (signal: AbortSignal) => Promise<void>;
}>;

export const openPrecisionSettler = ({ core, settings, judging, reopen }: PrecisionPorts): PrecisionSettler => {
  const unsettled = (): boolean => {
    const opened = judging.opened();
    const reason = opened?.startedEngine()?.info().precisionReason.code;
    return reason === 'not_measured' && (opened?.pack.manifest.precisions.length ?? 0) > 1;
  };
  const settleNow = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (!unsettled()) return;
    await tryPrecisions(core, judgingOptionsOf(settings()), signal);
    await reopen();
  };
  let last: Promise<void> = Promise.resolve();
  return {
    unsettled,
    // Two at once would only measure each other.
    settle: (signal) => {
      const mine = last.then(() => settleNow(signal));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
};
