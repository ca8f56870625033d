import { pickFolder } from '../data/actions.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';

/** There is nothing to show yet: the next step is a folder. */
export const NoPhotos = () => {
  const { t } = useWords();
  return (
    <EmptyState
      title={t('results.empty')}
      action={
        <Button kind="primary" onPress={() => void pickFolder()}>
          {t('action.addFolder')}
        </Button>
      }
    >
      {t('results.emptyHint')}
    </EmptyState>
  );
};
