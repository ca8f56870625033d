import type { Handlers } from '../../main/contract/api.ts';
import type { DecidingProgress } from '../../main/contract/review.ts';
import { measureBlank } from '../../main/review/blank-control.ts';
import { riskPlan, setRisk } from '../../main/review/policy.ts';
import { qualityView } from '../../main/review/quality.ts';
import type { Desk } from '../desk/desk.ts';

export const qualityHandlers = ({ core, store, judging, reviewChanged, tell }: Desk): Handlers['quality'] => {
  /** One change of risk control at a time: the second starts from what the first has set. */
  let changing: Promise<unknown> = Promise.resolve();
  return {
    summary: async () => {
      const opened = await judging.current();
      await measureBlank(core, store, opened);
      return qualityView(store, opened);
    },
    risk: async ({ target }) => riskPlan(store, await judging.current(), target),
    setRisk: async ({ target }, { signal }) => {
      const opened = await judging.current();
      const onProgress = (progress: DecidingProgress) => tell('deciding', progress);
      const set = changing.then(() => setRisk(store, opened, target, { signal, onProgress }));
      changing = set.catch(() => undefined);
      try {
        await set;
      } finally {
        tell('deciding', null);
        reviewChanged(null);
      }
      return qualityView(store, opened);
    },
  };
};
