/**
 * Every screen with what the window around it shows of it. A new one is a folder, a row here and in
 * main/contract/screen-names.ts, and its name in words.
 */
import { ChartNoAxesColumn, Folder, LayoutGrid, List, type LucideIcon, Settings, SquareCheck } from 'lucide-react';
import type { ComponentType } from 'react';
import { type ScreenName, screens } from '../main/contract/screen-names.ts';
import { useCounts, useFolders, useSets } from './data/queries.ts';
import { useQueueCount } from './data/review.ts';
import { EngineScreen } from './engine/engine-screen.tsx';
import { useEngineLive } from './engine/live.ts';
import { LibraryScreen } from './library/library-screen.tsx';
import { ResultsEverywhere } from './results/everywhere.tsx';
import { ResultsScreen } from './results/results-screen.tsx';
import { ReviewEverywhere } from './review/everywhere.tsx';
import { QueueEntries } from './review/queue-entries.tsx';
import { ReviewScreen } from './review/review-screen.tsx';
import { SettingsScreen } from './settings/settings-screen.tsx';
import { StatementsScreen } from './statements/statements-screen.tsx';

type Figure = Readonly<{ count: number; atLeast?: boolean }>;

type Row = Readonly<{
  icon: LucideIcon;
  Content: ComponentType;
  /** How many there are of what it shows, which stands beside its name. */
  useFigure: () => Figure | undefined;
  /** Entries that it unfolds in the rail while it is shown. */
  Entries?: ComponentType;
  /** What it does and offers whichever screen is shown. */
  Everywhere?: ComponentType;
  /** It shows photos beside an inspector, which can be hidden. */
  inspected?: boolean;
  /** It stands apart, at the end of the rail. */
  atEnd?: boolean;
}>;

const counted = (count: number | undefined): Figure | undefined => (count === undefined ? undefined : { count });
const noFigure = () => undefined;
const everything = {};

const EngineEverywhere = () => {
  useEngineLive();
  return null;
};

const rows: Readonly<Record<ScreenName, Row>> = {
  review: {
    icon: SquareCheck,
    Content: ReviewScreen,
    useFigure: () => useQueueCount('review'),
    Entries: QueueEntries,
    inspected: true,
    Everywhere: ReviewEverywhere,
  },
  library: {
    icon: Folder,
    Content: LibraryScreen,
    useFigure: () => counted(useFolders().data?.length),
  },
  results: {
    icon: LayoutGrid,
    Content: ResultsScreen,
    useFigure: () => counted(useCounts(everything).data?.photos),
    Everywhere: ResultsEverywhere,
    inspected: true,
  },
  statements: {
    icon: List,
    Content: StatementsScreen,
    useFigure: () => counted(useSets().data?.reduce((sum, set) => sum + set.statements.length, 0)),
  },
  engine: {
    icon: ChartNoAxesColumn,
    Content: EngineScreen,
    useFigure: noFigure,
    Everywhere: EngineEverywhere,
  },
  settings: {
    icon: Settings,
    Content: SettingsScreen,
    useFigure: noFigure,
    atEnd: true,
  },
};

export type ScreenRow = Row & (typeof screens)[number];

/** The rows in the order of the rail. */
export const screenTable: readonly ScreenRow[] = screens.map((screen) => ({ ...screen, ...rows[screen.name] }));

export const rowOf = (name: ScreenName): Row => rows[name];
