/** Stored verdicts being decided again: one change at a time, and how far it is. */
import type { Judging } from '../judging/judging.ts';
import { type Deciding, resumeDeciding, setRisk } from '../review/policy.ts';
import type { Store } from '../store/types.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { AppBus } from './events.ts';

type DecidingPorts = Readonly<{
  store: Store;
  packs: () => Parameters<typeof resumeDeciding>[1];
  events: AppBus;
  telemetry: Telemetry;
}>;

export type DecidingAgain = Readonly<{
  /** Finishes what was under way when the app last ended; returns at once. */
  resume: () => void;
  /** As `setRisk`, after what is under way. */
  set: (judging: Judging, target: number | null, signal: AbortSignal) => Promise<void>;
  /** Lets go of what is under way: the next start finishes it. */
  close: () => void;
}>;

export const openDeciding = ({ store, packs, events, telemetry }: DecidingPorts): DecidingAgain => {
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  const over = () => {
    if (closing.signal.aborted) return;
    events.emit('deciding', null);
    // Stored verdicts are others than before.
    events.emit('queuesChanged', null);
  };
  /** The second change starts from what the first has set. */
  const next = (work: (progress: Pick<Deciding, 'onProgress'>) => Promise<unknown>): Promise<void> => {
    const mine = last
      .then(() => work({ onProgress: (progress) => void events.emit('deciding', progress) }))
      .then(() => undefined);
    last = mine.catch(() => undefined);
    return mine;
  };
  return {
    resume: () => {
      next(async (how) => {
        if (await resumeDeciding(store, packs(), { ...how, signal: closing.signal })) over();
      }).catch((error) => {
        if (!closing.signal.aborted) telemetry.emit('not_decided_again', { error: String(error) });
      });
    },
    set: (judging, target, signal) => next((how) => setRisk(store, judging, target, { ...how, signal }).finally(over)),
    close: () => closing.abort(),
  };
};
