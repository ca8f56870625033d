import { useTranslation } from 'react-i18next';
import { formatFor } from './format.ts';
import { i18n } from './instance.ts';
import * as words from './words.ts';

export { i18n, type Language, languageOf, type TextKey } from './instance.ts';

/** All that puts things into words, in the language at hand. */
export const useWords = () => {
  const { t } = useTranslation('translation', { i18n });
  return { t, format: formatFor(i18n.language), ...words };
};
