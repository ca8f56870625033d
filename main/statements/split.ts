/** Splits a text at sentence ends and semicolons, in English and Chinese. */
import { quotedSpans } from './quotes.ts';

const ends = /[.!?…]+["'”’)\]]*\s+|[。！？；;]+["”’」』）]*\s*/gu;
const abbreviation = /(?:^|[\s(])(?:mrs?|ms|dr|prof|st|mt|ft|sr|jr|vs|cf|approx|e\.g|i\.e)$/iu;
const initial = /(?:^|[\s.(])\p{Lu}$/u;

/** A full stop that belongs to its word: "Mr. Smith", "the U.S. flag", "No. 5". */
const isInsideWord = (before: string, end: string, after: string): boolean =>
  end.trimEnd() === '.' &&
  (abbreviation.test(before) || initial.test(before) || (/\bno$/iu.test(before) && /^\d/u.test(after)));

/** The sentences with their final punctuation; never an empty list for a text that is not empty. */
export const splitSentences = (text: string): readonly string[] => {
  const quoted = quotedSpans(text);
  const sentences: string[] = [];
  let from = 0;
  for (const match of text.matchAll(ends)) {
    const after = match.index + match[0].length;
    const inQuotes = quoted.some(([start, end]) => match.index > start && match.index < end && after < end);
    if (inQuotes || isInsideWord(text.slice(from, match.index), match[0], text.slice(after))) continue;
    sentences.push(text.slice(from, after));
    from = after;
  }
  return [...sentences, text.slice(from)].filter((sentence) => sentence.trim() !== '');
};
