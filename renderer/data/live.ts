/** Carries the core's events into the query cache. */
import type { InfiniteData } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Run } from '../../main/contract/views.ts';
import { runCommand } from '../commands/registry.ts';
import { useMeasuring } from '../engine/measuring.ts';
import { useUi } from '../ui-state.ts';
import { vouch } from './call.ts';
import { client, keys } from './client.ts';
import { useHistory } from './history.ts';

/**
 * A refresh of the grid has previews made and cells drawn, with the cores that judge. So the longer a run goes on, the
 * rarer: after 10 s, and then every 30. Until then the grid says that there are new ones.
 */
const firstWaitMs = 10_000;
const longestWaitMs = 30_000;
let waitMs = firstWaitMs;
const nextWait = (): number => {
  const wait = waitMs;
  waitMs = Math.min(longestWaitMs, 3 * waitMs);
  return wait;
};

/** Calls `work` at once, then after waits of its own; a call in between is made up for at the end. */
const throttled = (work: () => void, wait: () => number) => {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let again = false;
  const fire = () => {
    work();
    timer = setTimeout(() => {
      timer = null;
      if (again) {
        again = false;
        fire();
      }
    }, wait());
  };
  return () => {
    if (timer) again = true;
    else fire();
  };
};

/** Only the first page is fetched anew: the others follow when they are scrolled to. */
export const refreshGrid = () => {
  client.setQueriesData<InfiniteData<unknown>>({ queryKey: keys.results }, (data) =>
    data ? { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) } : data,
  );
  void client.invalidateQueries({ queryKey: keys.results });
};

/** Verdicts moved: counts follow; the grid only while its first rows are in sight, so that nothing moves under the eye. */
const refreshResults = () => {
  void client.invalidateQueries({ queryKey: keys.counts });
  void client.invalidateQueries({ queryKey: keys.search });
  void client.invalidateQueries({ queryKey: keys.sets });
  void client.invalidateQueries({ queryKey: keys.folders });
  void client.invalidateQueries({ queryKey: keys.photo });
  const { screen, gridAtTop, open } = useUi.getState();
  if (screen === 'results' && gridAtTop && !open) {
    useUi.setState({ newResults: false });
    return refreshGrid();
  }
  // What is not in sight is fetched anew when it next is.
  void client.invalidateQueries({ queryKey: keys.results, refetchType: 'none' });
  useUi.setState({ newResults: screen === 'results' });
};
/** What nobody sees is fetched when it is seen again. */
const refreshSeen = () => {
  if (!document.hidden) return refreshResults();
  document.addEventListener('visibilitychange', refreshResults, { once: true });
};
const refreshRarely = throttled(refreshSeen, nextWait);
const resultsChanged = () => {
  useUi.setState(({ screen }) => ({ newResults: screen === 'results' }));
  refreshRarely();
};

const runChanged = (run: Run) => {
  const before = client.getQueryData<Run | null>(keys.run);
  client.setQueryData(keys.run, run);
  if (before?.status === run.status) return;
  waitMs = firstWaitMs;
  if (run.endedAt !== null) refreshSeen();
};

export const useLive = (): void => {
  useEffect(() => {
    const ends = [
      vouch.on('progress', runChanged),
      vouch.on('engine', (state) => {
        client.setQueryData(keys.engine, state);
        useHistory.getState().add(state);
      }),
      vouch.on('bench', ({ done, total }) => useMeasuring.setState({ done, total })),
      vouch.on('library', ({ changed }) => {
        void client.invalidateQueries({ queryKey: keys[changed] });
        if (changed === 'tags') void client.invalidateQueries({ queryKey: keys.photo });
      }),
      vouch.on('statements', () => {
        void client.invalidateQueries({ queryKey: keys.sets });
        void client.invalidateQueries({ queryKey: keys.counts });
      }),
      // A handful of photos by name is a person's doing, and is shown at once.
      vouch.on('results', ({ photoIds }) => (photoIds ? refreshSeen() : resultsChanged())),
      vouch.on('settings', (settings) => client.setQueryData(keys.settings, settings)),
      vouch.on('command', (command) => {
        if (command.kind === 'show') useUi.getState().show(command.screen);
        else runCommand(command.kind);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
};
