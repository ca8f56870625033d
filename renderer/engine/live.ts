/** The engine's figures and a benchmark's progress are kept while another screen is shown. */
import { useEffect } from 'react';
import { vouch } from '../data/call.ts';
import { useHistory } from './history.ts';
import { useMeasuring } from './measuring.ts';

export const useEngineLive = (): void =>
  useEffect(() => {
    const ends = [
      vouch.on('engine', (state) => useHistory.getState().add(state)),
      vouch.on('bench', ({ done, total }) => useMeasuring.setState({ done, total })),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
