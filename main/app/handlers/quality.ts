import type { Handlers } from '../../contract/api.ts';
import { measureBlank } from '../../review/blank-control.ts';
import { riskPlan } from '../../review/policy.ts';
import { qualityView } from '../../review/quality.ts';
import type { AppService } from '../app-service.ts';

export const qualityHandlers = ({ store, judging, deciding }: AppService): Handlers['quality'] => ({
  summary: async () => {
    const opened = await judging.current();
    await measureBlank(store, opened);
    return qualityView(store, opened);
  },
  risk: async ({ target }) => riskPlan(store, await judging.current(), target),
  setRisk: async ({ target }, { signal }) => {
    const opened = await judging.current();
    await deciding.set(opened, target, signal);
    return qualityView(store, opened);
  },
});
