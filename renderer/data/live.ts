/** Carries what the core tells into the query cache. What only one screen keeps, that screen listens for itself. */
import { useEffect } from 'react';
import { vouch } from './call.ts';
import { client, keys } from './client.ts';
import { tellQueues } from './review.ts';

const stale = (key: readonly unknown[]) => void client.invalidateQueries({ queryKey: key });

export const useLive = (): void => {
  useEffect(() => {
    const ends = [
      vouch.on('progress', (run) => client.setQueryData(keys.run, run)),
      vouch.on('engine', (state) => client.setQueryData(keys.engine, state)),
      vouch.on('library', ({ changed }) => {
        stale(keys[changed]);
        if (changed === 'tags') stale(keys.photo);
      }),
      vouch.on('statements', () => {
        stale(keys.sets);
        stale(keys.counts);
      }),
      vouch.on('review', tellQueues),
      vouch.on('settings', (settings) => client.setQueryData(keys.settings, settings)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
};
