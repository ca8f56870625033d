import { useTranslation } from 'react-i18next';
import { formatFor } from '../../main/words/format.ts';
import { i18n } from './instance.ts';
import { windowWords } from './words.ts';

export { type Language, languages } from '../../main/words/words.ts';
export { i18n, languageOf, type TextKey } from './instance.ts';

/** All that puts things into words, in the language at hand. */
export const useWords = () => {
  const { t } = useTranslation('translation', { i18n });
  return { t, format: formatFor(i18n.language), ...windowWords() };
};
