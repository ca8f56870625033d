import { ChartNoAxesColumn, Folder, LayoutGrid, List, type LucideIcon, Settings, SquareCheck } from 'lucide-react';
import { Button } from 'react-aria-components';
import { useCounts, useFolders, useSets } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { useQueueCount } from '../review/queries.ts';
import { QueueEntries } from '../review/queue-entries.tsx';
import { Count } from '../ui/count.tsx';
import { Logo } from '../ui/logo.tsx';
import { type ScreenName, useUi } from '../ui-state.ts';

const icons: Readonly<Record<ScreenName, LucideIcon>> = {
  review: SquareCheck,
  library: Folder,
  results: LayoutGrid,
  statements: List,
  engine: ChartNoAxesColumn,
  settings: Settings,
};

const everything = {};

export const Rail = () => {
  const { t } = useWords();
  const screen = useUi((state) => state.screen);
  const show = useUi((state) => state.show);
  const counts = useCounts(everything);
  const folders = useFolders();
  const sets = useSets();
  const wanted = useQueueCount('review');
  const statements = sets.data?.reduce((sum, set) => sum + set.statements.length, 0);
  const figures: Readonly<Record<ScreenName, number | undefined>> = {
    review: wanted?.count,
    library: folders.data?.length,
    results: counts.data?.photos,
    statements,
    engine: undefined,
    settings: undefined,
  };
  const entry = (name: ScreenName) => {
    const Icon = icons[name];
    const figure = figures[name];
    return (
      <Button key={name} className="nav" aria-current={name === screen ? 'page' : undefined} onPress={() => show(name)}>
        <Icon aria-hidden />
        <span className="clip">{t(`screen.${name}`)}</span>
        {figure !== undefined && <Count of={figure} atLeast={name === 'review' && wanted?.atLeast} />}
      </Button>
    );
  };
  return (
    <nav className="rail" aria-label={t('frame.rail')}>
      <div className="brand">
        <Logo />
        Vouch
      </div>
      {entry('review')}
      {screen === 'review' && <QueueEntries />}
      {entry('library')}
      {entry('results')}
      {entry('statements')}
      {entry('engine')}
      <span className="grow" />
      {entry('settings')}
    </nav>
  );
};
