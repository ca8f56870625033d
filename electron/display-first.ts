/**
 * Lets the display server go before the app while photos are judged.
 *
 * Linux shares the cores out by session (sched(7), "The autogroup feature"), whatever the nice value of the single
 * process: a judging app and the display server get equal parts, and what the app has drawn waits for hundreds of
 * milliseconds to be shown. So the whole session of the app steps back for as long as a run is on, unless judging has
 * been given a normal priority: then it keeps its place beside other programs too.
 */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { HostPriority } from '../main/contract/settings.ts';
import type { Run } from '../main/contract/views.ts';

const steppedBack = 10;
/** The kernel takes one change in a tenth of a second from a common user. */
const againMs = 200;
const tries = 5;

/** A session that was started by a terminal holds other people's programs too, and is left alone. */
const leadsItsSession = (): boolean => {
  try {
    // The name, in parentheses, may hold spaces: state, parent, group and session follow it.
    const stat = readFileSync('/proc/self/stat', 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3] === String(process.pid);
  } catch {
    return false;
  }
};

const setNice = async (nice: number): Promise<void> => {
  for (let i = 0; i < tries; i += 1) {
    try {
      return await writeFile('/proc/self/autogroup', String(nice));
    } catch (error) {
      // Without the feature there is nothing to set.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
};

/** Call the result with every change of a run. */
export const displayFirst = (priority: () => HostPriority): ((run: Run) => void) => {
  if (!leadsItsSession()) return () => undefined;
  let now = 0;
  let setting = Promise.resolve();
  return ({ status }) => {
    const wanted = status === 'running' && priority() !== 'normal' ? steppedBack : 0;
    if (wanted === now) return;
    now = wanted;
    setting = setting.then(() => setNice(wanted));
  };
};
