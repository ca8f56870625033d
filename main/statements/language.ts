/**
 * A guess at a statement's language, cheap enough for every key stroke: by script, and for Latin script by articles
 * that other languages have and English has not. BCP 47 primary tags; `und` where there are no letters.
 */

const scripts: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['en', /\p{Script=Latin}/gu],
];

const english = /(?<![\p{L}'’])(?:a|an|the|is|are|of|and|or|no|not|in|on|with|at|by|to|there|some|any)(?![\p{L}'’])/iu;
const articles: readonly (readonly [language: string, words: RegExp])[] = [
  ['de', /(?<!\p{L})(?:[Ee]in|[Ee]ine[nmrs]?|[Dd]er|[Dd]as|und)(?!\p{L})/u],
  ['fr', /(?<!\p{L})(?:[Uu]ne|[Ll]es|et|avec)(?!\p{L})/u],
  ['es', /(?<!\p{L})(?:[Uu]na|los|las|y)(?!\p{L})/u],
  ['it', /(?<!\p{L})(?:gli|degli|della|sono)(?!\p{L})/u],
  ['pt', /(?<!\p{L})(?:uma?|com|não)(?!\p{L})/u],
  ['fr', /(?<!\p{L})[Uu]n(?!\p{L})/u],
];

/** A Han character says about as much as a short word. */
const weight = (language: string): number => (language === 'zh' ? 3 : 1);

export const guessLanguage = (text: string): string => {
  const letters = scripts.map(([language, pattern]) => ({
    language,
    count: (text.match(pattern)?.length ?? 0) * weight(language),
  }));
  const kana = letters.find(({ language }) => language === 'ja')?.count ?? 0;
  const most = letters.reduce((a, b) => (b.count > a.count ? b : a));
  if (most.count === 0) return 'und';
  if (most.language === 'zh' && kana > 0) return 'ja';
  if (most.language !== 'en' || english.test(text)) return most.language;
  return articles.find(([, words]) => words.test(text))?.[0] ?? 'en';
};
