import type { StartState } from '../../main/contract/views.ts';
import { openFrom } from '../data/actions.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';

type Stopped = Extract<StartState, Readonly<{ open: false }>>;

/** The library cannot be opened: what happened, what was kept, and the ways on. */
export const StartTrouble = ({ error, backup }: Stopped) => {
  const { t, format, errorText } = useWords();
  const lost = error.code === 'store_corrupt';
  return (
    <main className="start-trouble">
      <h1>{t('start.title')}</h1>
      <Callout tone="bad">{errorText(error)}</Callout>
      {lost && <p>{t('start.kept')}</p>}
      {backup && (
        <p>
          {t('start.backup')} <When at={backup.madeAt} /> ({format.bytes(backup.bytes)})
        </p>
      )}
      <div className="buttons">
        {lost && (
          <Button kind={backup ? undefined : 'primary'} onPress={() => void openFrom('nothing')}>
            {t('start.fresh')}
          </Button>
        )}
        {backup && (
          <Button kind="primary" autoFocus onPress={() => void openFrom('backup')}>
            {t('start.restore')}
          </Button>
        )}
        {!lost && (
          <Button kind="primary" autoFocus onPress={() => void openFrom('again')}>
            {t('action.tryAgain')}
          </Button>
        )}
      </div>
    </main>
  );
};
