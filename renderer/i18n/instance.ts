import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../../main/words/words.ts';
import en from './en.json';
import zh from './zh-CN.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
    returnNull: false;
  }
}

/** Every key of the English texts; a plural counts once. */
type Keys<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Keys<T[K]>}`;
}[keyof T & string];
type Bare<K extends string> = K extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : K;
export type TextKey = Bare<Keys<typeof en>>;

export const i18n = i18next.createInstance();

void i18n.use(initReactI18next).init({
  resources: { en: { translation: en }, 'zh-CN': { translation: zh } },
  lng: 'en',
  fallbackLng: 'en',
  initAsync: false,
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
});

/** The language of the settings, else the system's where there is a translation, else English. */
export const languageOf = (setting: Language | 'system', systemLocale: string): Language => {
  if (setting !== 'system') return setting;
  return systemLocale.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
};
