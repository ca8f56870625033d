/** What the app says on screen, so that whatever looks for a word still finds it when the word has changed. */
import en from '../../renderer/i18n/en.json' with { type: 'json' };
import zh from '../../renderer/i18n/zh-CN.json' with { type: 'json' };

const words = { en, 'zh-CN': zh } as const;

export type Language = keyof typeof words;
export const languages = Object.keys(words) as readonly Language[];
export const wordsOf = (language: Language): (typeof words)[Language] => words[language];
