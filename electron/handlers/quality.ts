import type { Handlers } from '../../main/contract/api.ts';
import { measureBlank } from '../../main/review/blank-control.ts';
import { riskPlan } from '../../main/review/policy.ts';
import { qualityView } from '../../main/review/quality.ts';
import type { Desk } from '../desk/desk.ts';

export const qualityHandlers = ({ core, store, judging, deciding }: Desk): Handlers['quality'] => ({
  summary: async () => {
    const opened = await judging.current();
    await measureBlank(core, store, opened);
    return qualityView(store, opened);
  },
  risk: async ({ target }) => riskPlan(store, await judging.current(), target),
  setRisk: async ({ target }, { signal }) => {
    const opened = await judging.current();
    await deciding.set(opened, target, signal);
    return qualityView(store, opened);
  },
});
