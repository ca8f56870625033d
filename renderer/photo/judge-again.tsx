import { scan } from '../data/actions.ts';
import { useEngine } from '../data/queries.ts';
import { useQueueCount } from '../data/review.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';

/** What was judged while the engine was degraded can be judged anew, once it no longer is. */
export const JudgeAgain = () => {
  const { t, format } = useWords();
  const degraded = useQueueCount('degraded');
  const engine = useEngine().data;
  if (!degraded || degraded.count === 0) return null;
  const still = engine?.degradation.some(({ code }) => code === 'grades_raised') ?? false;
  const n = format.integer(degraded.count);
  return (
    <Button isDisabled={still} onPress={() => void scan([], 'degraded')}>
      {t('engine.judgeAgain', { n: degraded.atLeast ? t('review.atLeast', { n }) : n })}
    </Button>
  );
};
