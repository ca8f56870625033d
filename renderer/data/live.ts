/** Carries the core's events into the query cache. */
import type { InfiniteData } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Run } from '../../main/contract/views.ts';
import { runCommand } from '../commands/registry.ts';
import { useUi } from '../ui-state.ts';
import { vouch } from './call.ts';
import { client, keys } from './client.ts';
import { useHistory } from './history.ts';

const resultsEveryMs = 1500;

/** Calls `work` at once, then at most every `ms`; a call in between is made up for at the end. */
const throttled = (work: () => void, ms: number) => {
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
    }, ms);
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
  void client.invalidateQueries({ queryKey: keys.sets });
  void client.invalidateQueries({ queryKey: keys.folders });
  void client.invalidateQueries({ queryKey: keys.photo });
  const { screen, gridAtTop, open } = useUi.getState();
  if (screen === 'results' && gridAtTop && !open) return refreshGrid();
  // What is not in sight is fetched anew when it next is.
  void client.invalidateQueries({ queryKey: keys.results, refetchType: 'none' });
  useUi.setState({ newResults: screen === 'results' });
};
const resultsChanged = throttled(refreshResults, resultsEveryMs);

const runChanged = (run: Run) => {
  const before = client.getQueryData<Run | null>(keys.run);
  client.setQueryData(keys.run, run);
  if (before?.status !== run.status) refreshResults();
};

export const useLive = (): void => {
  useEffect(() => {
    const ends = [
      vouch.on('progress', runChanged),
      vouch.on('engine', (state) => {
        client.setQueryData(keys.engine, state);
        useHistory.getState().add(state);
      }),
      vouch.on('library', ({ changed }) => void client.invalidateQueries({ queryKey: keys[changed] })),
      vouch.on('statements', () => {
        void client.invalidateQueries({ queryKey: keys.sets });
        void client.invalidateQueries({ queryKey: keys.counts });
      }),
      vouch.on('results', resultsChanged),
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
