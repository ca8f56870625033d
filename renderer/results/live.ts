/** Verdicts that move while a person looks: counts follow, and the grid when nothing would move under the eye. */
import type { InfiniteData } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Run } from '../../main/contract/views.ts';
import { vouch } from '../data/call.ts';
import { client, keys } from '../data/client.ts';
import { screenNow } from '../ui-state.ts';
import { useResultsView } from './state.ts';

/** Only the first page is fetched anew: the others follow when they are scrolled to. */
export const refreshGrid = (): void => {
  client.setQueriesData<InfiniteData<unknown>>({ queryKey: keys.results }, (data) =>
    data ? { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) } : data,
  );
  void client.invalidateQueries({ queryKey: keys.results });
};

const tellNewResults = (): void => useResultsView.setState({ newResults: screenNow() === 'results' });

/** The grid is fetched anew only while its first rows are in sight. */
const refreshResults = (): void => {
  for (const key of [keys.counts, keys.search, keys.sets, keys.folders, keys.photo])
    void client.invalidateQueries({ queryKey: key });
  const { gridAtTop, open } = useResultsView.getState();
  if (screenNow() === 'results' && gridAtTop && !open) {
    useResultsView.setState({ newResults: false });
    refreshGrid();
    return;
  }
  // What is not in sight is fetched anew when it next is.
  void client.invalidateQueries({ queryKey: keys.results, refetchType: 'none' });
  tellNewResults();
};

/** What nobody sees is fetched when the window is seen again. */
const refreshSeen = (): void => {
  if (!document.hidden) refreshResults();
  else document.addEventListener('visibilitychange', refreshResults, { once: true });
};

/**
 * A refresh of the grid has previews made and cells drawn, with the cores that judge. So the longer a run goes on, the
 * rarer they are: after 10 s, and then every 30. Until then the grid says that there are new results.
 */
const firstWaitMs = 10_000;
const longestWaitMs = 30_000;

type Pace = Readonly<{
  /** Does the work at once, then after a wait that grows; what is asked for in between is done at its end. */
  ask: () => void;
  /** The next wait is the first one again. */
  startOver: () => void;
  end: () => void;
}>;

export const slower = (work: () => void): Pace => {
  let waitMs = firstWaitMs;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let again = false;
  const fire = () => {
    work();
    timer = setTimeout(() => {
      timer = null;
      if (!again) return;
      again = false;
      fire();
    }, waitMs);
    waitMs = Math.min(longestWaitMs, 3 * waitMs);
  };
  return {
    ask: () => {
      if (timer) again = true;
      else fire();
    },
    startOver: () => {
      waitMs = firstWaitMs;
    },
    end: () => {
      if (timer) clearTimeout(timer);
    },
  };
};

export const useResultsLive = (): void =>
  useEffect(() => {
    const refresh = slower(refreshSeen);
    let status: Run['status'] | null = null;
    const ends = [
      refresh.end,
      vouch.on('progress', (run) => {
        if (run.status === status) return;
        status = run.status;
        refresh.startOver();
        if (run.endedAt !== null) refreshSeen();
      }),
      vouch.on('results', ({ photoIds }) => {
        // A few photos by name are a person's doing, and are shown at once.
        if (photoIds) return refreshSeen();
        tellNewResults();
        refresh.ask();
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
