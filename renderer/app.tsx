import { useEffect, useLayoutEffect, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { KeySheet } from './commands/key-sheet.tsx';
import { useKeyboard } from './commands/keyboard.ts';
import { Palette } from './commands/palette.tsx';
import { useLive } from './data/live.ts';
import { useInfo, useSettings, useStart } from './data/queries.ts';
import { EngineScreen } from './engine/engine-screen.tsx';
import { ExportDialog } from './export/export-dialog.tsx';
import { useFrameCommands } from './frame/commands.ts';
import { DropTarget } from './frame/drop-target.tsx';
import { Rail } from './frame/rail.tsx';
import { StartTrouble } from './frame/start-trouble.tsx';
import { StatusBar } from './frame/status-bar.tsx';
import { i18n, languageOf } from './i18n/index.ts';
import { LibraryScreen } from './library/library-screen.tsx';
import { ResultsScreen } from './results/results-screen.tsx';
import { useReviewNavigation } from './review/navigation.ts';
import { useReviewLive } from './review/queries.ts';
import { ReviewScreen } from './review/review-screen.tsx';
import { SettingsScreen } from './settings/settings-screen.tsx';
import { StatementsScreen } from './statements/statements-screen.tsx';
import { Toasts } from './ui/toast.tsx';
import { type ScreenName, useUi } from './ui-state.ts';

const contents: Readonly<Record<ScreenName, () => React.JSX.Element>> = {
  review: ReviewScreen,
  library: LibraryScreen,
  results: ResultsScreen,
  statements: StatementsScreen,
  engine: EngineScreen,
  settings: SettingsScreen,
};

/** Theme and language as the settings say, or as the system does. */
const useAppearance = (): string => {
  const settings = useSettings();
  const info = useInfo();
  const [systemDark, setSystemDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setSystemDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  const theme = settings.theme === 'system' ? (systemDark ? 'dark' : 'light') : settings.theme;
  const language = languageOf(settings.language, info.data?.locale ?? navigator.language);
  // Before the effects of charts, which read the colours of their lines.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    document.documentElement.lang = language;
    void i18n.changeLanguage(language);
  }, [theme, language]);
  return language;
};

export const App = () => {
  useLive();
  useReviewLive();
  useKeyboard();
  useFrameCommands();
  useReviewNavigation();
  const language = useAppearance();
  const screen = useUi((state) => state.screen);
  const overlay = useUi((state) => state.overlay);
  const Content = contents[screen];
  const start = useStart().data;
  if (start?.open === false) {
    return (
      <I18nProvider locale={language}>
        <StartTrouble {...start} />
        <Toasts />
      </I18nProvider>
    );
  }
  return (
    <I18nProvider locale={language}>
      <DropTarget>
        <div className="app">
          <Rail />
          <Content />
          <StatusBar />
        </div>
      </DropTarget>
      {overlay === 'palette' && <Palette />}
      {overlay === 'keys' && <KeySheet />}
      {overlay === 'export' && <ExportDialog />}
      <Toasts />
    </I18nProvider>
  );
};
