import { retryTags } from '../data/actions.ts';
import { useTagProblems } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/states.tsx';

/** Photos that could not be tagged, with what went wrong first; nothing where all went well. */
export const TagProblems = () => {
  const { t } = useWords();
  const { photos, problem } = useTagProblems().data ?? { photos: 0, problem: null };
  if (photos === 0) return null;
  return (
    <Callout action={<Button onPress={() => void retryTags()}>{t('action.tryAgain')}</Button>}>
      <strong>{t('library.untagged', { count: photos })}</strong>
      <span className="selectable">{problem}</span>
    </Callout>
  );
};
