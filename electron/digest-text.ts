/** A finished piece of work in words, without the shell. */
import type { Words } from './words.ts';

/** "38 photos: 5 want review". */
export const digestText = (words: Words, photos: number, wantReview: number, quarantined: number): string => {
  const some = (one: string, many: string, count: number) =>
    count === 1 ? one : many.replace('{count}', String(count));
  const wants = wantReview === 0 ? words.wantNone : some(words.wantOne, words.wantMany, wantReview);
  const judged = some(words.judgedOne, words.judgedMany, photos).replace('{wants}', wants);
  const aside = words.setAside.replace('{count}', String(quarantined));
  return [...(photos > 0 ? [judged] : []), ...(quarantined > 0 ? [aside] : [])].join('\n');
};
