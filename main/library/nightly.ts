/** What is done once a night: a look through the library, and a backup. Made up for when the machine was off. */
import type { Store } from '../store/types.ts';

/** Local hour at which a night's work is due. */
const hour = 3;
const lookEveryMs = 10 * 60_000;
const keptBackups = 3;
const doneAt = 'nightDoneAt';

/** Whether the latest such hour before `now` has come since the work was last done. */
export const isNightlyDue = (now: Date, last: number | null): boolean => {
  const due = new Date(now.getFullYear(), now.getMonth(), now.getDate(), hour);
  if (due > now) due.setDate(due.getDate() - 1);
  return last !== null && last < due.getTime();
};

const backUp = async (store: Store): Promise<void> => {
  await store.upkeep.backup();
  await store.upkeep.pruneBackups(keptBackups);
};

export type Nightly = Readonly<{ close: () => void }>;

/** Does the night's work when it is due, for as long as it is open. A first start owes nothing for the past. */
export const keepNightly = (
  store: Store,
  reconcile: () => Promise<void>,
  failed: (error: unknown) => void,
  everyMs: number = lookEveryMs,
): Nightly => {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const stored = await store.settings.get(doneAt);
    const last = typeof stored === 'number' ? stored : null;
    if (last === null) await store.settings.set(doneAt, Date.now());
    if (!isNightlyDue(new Date(), last)) return;
    await store.settings.set(doneAt, Date.now());
    await backUp(store);
    await reconcile();
  };
  const keep = () => {
    look()
      .catch(failed)
      .finally(() => {
        if (!closed) timer = setTimeout(keep, everyMs);
      });
  };
  keep();
  return {
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
};
