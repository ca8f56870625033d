import { useLayoutEffect } from 'react';
import { I18nProvider } from 'react-aria-components';
import { KeySheet } from './commands/key-sheet.tsx';
import { useKeyboard } from './commands/keyboard.ts';
import { Palette } from './commands/palette.tsx';
import { useShellCommands } from './commands/shell.ts';
import { useLanguage, useTheme } from './data/appearance.ts';
import { useLive } from './data/live.ts';
import { useStart } from './data/queries.ts';
import { useFrameCommands } from './frame/commands.ts';
import { DropTarget } from './frame/drop-target.tsx';
import { Rail } from './frame/rail.tsx';
import { StartTrouble } from './frame/start-trouble.tsx';
import { StatusBar } from './frame/status-bar.tsx';
import { i18n } from './i18n/index.ts';
import { rowOf, screenTable } from './screens.tsx';
import { Toasts } from './ui/toast.tsx';
import { useScreen, useUi } from './ui-state.ts';

/** Puts the theme and the language on. */
const useAppearance = (): string => {
  const theme = useTheme().name;
  const language = useLanguage();
  // Charts read the colours of their lines in effects, which come after this one.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    document.documentElement.lang = language;
    void i18n.changeLanguage(language);
  }, [theme, language]);
  return language;
};

export const App = () => {
  useLive();
  useShellCommands();
  useKeyboard();
  useFrameCommands();
  const language = useAppearance();
  const { Content } = rowOf(useScreen());
  const overlay = useUi((state) => state.overlay);
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
      {screenTable.map(({ name, Everywhere }) => Everywhere && <Everywhere key={name} />)}
      {overlay === 'palette' && <Palette />}
      {overlay === 'keys' && <KeySheet />}
      <Toasts />
    </I18nProvider>
  );
};
