import { Button } from 'react-aria-components';
import { useWords } from '../i18n/index.ts';
import { type ScreenRow, screenTable } from '../screens.tsx';
import { Count } from '../ui/count.tsx';
import { Logo } from '../ui/logo.tsx';
import { useScreen, useUi } from '../ui-state.ts';

const Entry = ({ row }: Readonly<{ row: ScreenRow }>) => {
  const { t } = useWords();
  const current = useScreen() === row.name;
  const figure = row.useFigure();
  const { name, icon: Icon, Entries } = row;
  return (
    <>
      <Button
        className="nav"
        data-testid="screen"
        aria-current={current ? 'page' : undefined}
        onPress={() => useUi.getState().show(name)}
      >
        <Icon aria-hidden />
        <span className="clip">{t(`screen.${name}`)}</span>
        {figure && <Count of={figure.count} atLeast={figure.atLeast} />}
      </Button>
      {current && Entries && <Entries />}
    </>
  );
};

export const Rail = () => {
  const { t } = useWords();
  const entries = (atEnd: boolean) =>
    screenTable.filter((row) => (row.atEnd ?? false) === atEnd).map((row) => <Entry key={row.name} row={row} />);
  return (
    <nav className="rail" aria-label={t('frame.rail')}>
      <div className="brand">
        <Logo />
        Vouch
      </div>
      {entries(false)}
      <span className="grow" />
      {entries(true)}
    </nav>
  );
};
