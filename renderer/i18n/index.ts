import { useTranslation } from 'react-i18next';
import { formatFor } from './format.ts';
import { i18n } from './instance.ts';
import { capText, degradationText, deviceName, errorText, quarantineText, reasonText } from './words.ts';

export { i18n, type Language, languageOf, supported, type TextKey } from './instance.ts';

/** All that puts things into words, in the language at hand. */
export const useWords = () => {
  const { t } = useTranslation('translation', { i18n });
  const format = formatFor(i18n.language);
  return { t, format, capText, degradationText, deviceName, errorText, quarantineText, reasonText };
};
