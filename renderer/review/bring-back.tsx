import { useQueues } from '../data/review.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { bringBackSkipped } from './actions.ts';

/** Skipped pairs are out of every queue until they are brought back; here they are told of. */
export const BringBack = () => {
  const { t } = useWords();
  const skipped = useQueues().data?.skipped ?? 0;
  return skipped > 0 ? <Button onPress={bringBackSkipped}>{t('review.bringBack', { count: skipped })}</Button> : null;
};
