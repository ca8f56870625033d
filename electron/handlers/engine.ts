import type { Handlers } from '../../main/contract/api.ts';
import type { Desk } from '../desk/desk.ts';

export const engineHandlers = ({ engine, settings }: Desk): Handlers['engine'] => ({
  state: async () => engine.state(),
  configure: async (change) => {
    settings.change({ engine: change });
    return engine.state();
  },
});

export const runHandlers = ({ runs }: Desk): Handlers['runs'] => ({
  current: async () => runs.current(),
});
