/** The theme and the language that the window wears: as the settings say, or as the system does. */
import { useEffect, useState } from 'react';
import { type Theme, themeOf } from '../../main/contract/themes.ts';
import { type Language, languageOf } from '../i18n/index.ts';
import { useInfo, useSettings } from './queries.ts';

const darkQuery = '(prefers-color-scheme: dark)';

export const useTheme = (): Theme => {
  const { theme } = useSettings();
  const [systemIsDark, setSystemIsDark] = useState(() => matchMedia(darkQuery).matches);
  useEffect(() => {
    const query = matchMedia(darkQuery);
    const follow = () => setSystemIsDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return themeOf(theme, systemIsDark);
};

export const useLanguage = (): Language => {
  const { language } = useSettings();
  const info = useInfo().data;
  return languageOf(language, info?.locale ?? navigator.language);
};
