/** A statement's text as it is read: one kind of apostrophe, contractions with theirs, and no list number in front. */

/** What people type, or their keyboards and word processors put, for an apostrophe: U+2019 and its likes. */
const apostrophes = /(?<=\p{L})[\u2019\u2018\u201b\u02bc\u02b9\u00b4\u0060\u2032\uff07\uff40\ua78c](?=\p{L})/gu;

const bare = new Map(
  (
    "isnt=isn't arent=aren't wasnt=wasn't werent=weren't doesnt=doesn't dont=don't didnt=didn't cant=can't " +
    "couldnt=couldn't wont=won't wouldnt=wouldn't shouldnt=shouldn't hasnt=hasn't havent=haven't hadnt=hadn't " +
    "mustnt=mustn't neednt=needn't aint=ain't theres=there's cannot=can't"
  )
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);
const contraction = new RegExp(`(?<![\\p{L}\\p{N}'-])(?:${[...bare.keys()].join('|')})(?![\\p{L}\\p{N}'-])`, 'giu');

/** "1. a cat", "2) a cat", "(3) a cat", "b) a cat", "- a cat": what a pasted list puts before its lines. */
const listMark = /^\s*(?:\(?\d{1,3}[.)\]:](?!\d)|\(?[a-z]\)|[-–—•*·‣▪])\s+(?=\S)/iu;

export const withoutListMark = (text: string): string => text.replace(listMark, '');

/** Straight apostrophes where words have one, also in contractions that were typed without ("isnt"). */
export const withApostrophes = (text: string): string =>
  text.replace(apostrophes, "'").replace(contraction, (word) => bare.get(word.toLowerCase()) ?? word);

export const plainText = (text: string): string => withApostrophes(withoutListMark(text.normalize('NFC'))).trim();
