/** Errors, reasons and the like in the language of the window; the sentences are those of main/words, as everywhere. */
import { type Words, wordsIn } from '../../main/words/words.ts';
import { i18n } from './instance.ts';

export const windowWords = (): Words => wordsIn(i18n.language === 'zh-CN' ? 'zh-CN' : 'en', 'window');
