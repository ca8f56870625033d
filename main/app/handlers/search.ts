import type { Handlers } from '../../contract/api.ts';
import type { AppService } from '../app-service.ts';

export const searchHandlers = ({ finder }: AppService): Handlers['search'] => ({
  byText: async ({ text }, { signal }) => {
    const { searched, unjudged } = await finder.find(text, { fresh: true, signal });
    return { searched, unjudged };
  },
});
