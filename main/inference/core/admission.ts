/**
 * Lets a bounded number of photos into the engine, where each takes up memory from when it is read: those that a person
 * waits for by a bound of their own, bulk work before what is tried again.
 */
import type { Priority } from '../../contract/priority.ts';
import { createGate } from '../../hosts/gate.ts';

export type Admission = Readonly<{
  /** Resolves to the function that gives the place back; rejects with the signal's reason. */
  enter: (priority: Priority, signal: AbortSignal | undefined) => Promise<() => void>;
  /** How many wait, where that is too many for another one of this priority; else null. */
  crowd: (priority: Priority) => number | null;
  inside: () => number;
  /** Call when there may be more room. */
  changed: () => void;
  close: (error: Error) => void;
}>;

const interactiveAtOnce = 32;
const interactiveWaiting = 256;

/** `room`: for photos that nobody waits for. */
export const openAdmission = (room: () => number): Admission => {
  const bulk = createGate(room);
  const interactive = createGate(() => interactiveAtOnce);
  return {
    enter: (priority, signal) =>
      (priority === 'interactive' ? interactive : bulk).enter({ priority, ...(signal && { signal }) }),
    crowd: (priority) =>
      priority === 'interactive' && interactive.waiting() >= interactiveWaiting ? interactive.waiting() : null,
    inside: () => bulk.inside() + interactive.inside(),
    changed: bulk.widen,
    close(error) {
      bulk.close(error);
      interactive.close(error);
    },
  };
};
