/**
 * Takes out words that say how sure the writer is, not what the photo shows: "probably", "it seems that", 大概. A word
 * that may mean something else stays: "May", "the might of the sea", "a cloud that looks like a dog", 不可能.
 */
import { outsideQuotes } from './quotes.ts';

type Hedge = Readonly<{ pattern: RegExp; to?: (hedge: string, before: string, after: string) => string }>;

const word = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_'’-])(?:${source})(?![\\p{L}\\p{N}_'’-])`, 'giu');
const opening = (source: string): RegExp =>
  new RegExp(`(?<=^\\s*|[,;:]\\s*)(?:${source})(?![\\p{L}\\p{N}_'’-])`, 'giu');

const plurals = new Set('they we you these those people men women children kids both some many several few'.split(' '));
const manyAhead = /^\s*(?:two|three|four|five|six|seven|eight|nine|ten|many|several|some|few|[2-9]|\d\d+)\b/iu;

/** The form of "be" that fits between what stands before and after; a guess, read by models only. */
const formOfBe = (before: string, after: string): string => {
  const last = before.toLowerCase().match(/(\p{L}+)\s*$/u)?.[1] ?? '';
  if (last === 'there') return manyAhead.test(after) ? 'are' : 'is';
  if (last === 'i') return 'am';
  return plurals.has(last) || (last.endsWith('s') && !/(?:ss|us|is)$/.test(last)) ? 'are' : 'is';
};
const be = (hedge: string, before: string, after: string): string =>
  (before.trim() === '' ? '' : formOfBe(before, after)) + (/\bnot\b/i.test(hedge) ? ' not' : '');
const nothing = (): string => '';

const sure = '(?:pretty |fairly |quite |almost |not |not entirely |not quite )?sure';
const adverbs =
  'probably|perhaps|maybe|possibly|potentially|presumably|apparently|seemingly|supposedly|allegedly|conceivably|' +
  'reportedly|arguably|definitely|certainly|surely|undoubtedly|undeniably|obviously|evidently';

/** In order: longer ones before those that they contain. */
const hedges: readonly Hedge[] = [
  { pattern: word('(?:I|we) (?:really )?(?:think|believe|guess|suppose|assume|suspect|presume|reckon)(?: that)?') },
  { pattern: word("I(?: would|['’]d) (?:say|guess)(?: that)?") },
  { pattern: word(`I(?: am|['’]m) ${sure}(?: that| but| if| whether)?`) },
  {
    pattern: word("if I(?: am|['’]m) not mistaken|in my (?:humble )?opinion|as far as I can (?:tell|see)|imh?o|afaik"),
  },
  { pattern: word('it (?:also )?(?:seems|appears|seemed|appeared)(?: to me)? (?:that|like|as if|as though)') },
  { pattern: opening('it (?:also )?seem(?:s|ed)(?: to me)?(?! to\\b)') },
  { pattern: opening('(?:(?:it|this|that) )?looks (?:like|as if|as though)') },
  { pattern: word('(?:does|do) not (?:seem|appear) to be|(?:seem|appear)(?:s|ed)? (?:not )?to be'), to: be },
  { pattern: word('(?:might|may|could)(?: not)?(?: very)?(?: also| well| possibly| perhaps| just)? be'), to: be },
  { pattern: word('(?:seem|appear)(?:s|ed)? to(?= \\p{L})') },
  { pattern: word('seems?(?: like)?(?! to\\b)'), to: be },
  { pattern: word(`(?:(?:very|quite|most) )?(?:${adverbs})`) },
  { pattern: word('(?:most|very|quite|highly) likely(?! to\\b)') },
  { pattern: /(?<=(?<![\p{L}'’-])(?:is|are|was|were) )likely(?: to be)?(?![\p{L}'’-])(?! to\b)/giu },
  { pattern: opening('likely(?! to\\b)') },
  { pattern: word('without (?:a |any )?doubt|no doubt|of course|for sure') },
  { pattern: /大概率|大概|似乎|好[像象]|也[许許]|或[许許]|貌似|仿佛|恐怕|[说說]不定|[没沒]准儿?/gu, to: nothing },
  { pattern: /(?<![没沒])有可能(?!性)|(?<![不太的尽盡没沒有])可能(?!性)/gu, to: nothing },
  { pattern: /看起[来來]像?|看上去像?|看[来來](?!看)/gu, to: nothing },
  { pattern: /我(?:[觉覺]得|[认認][为為]|猜[测測]?|感[觉覺]|估[计計])|[应應][该該](?=是|有|在)/gu, to: nothing },
];

/** `removed` holds the hedges as they were written, in order of kind. Punctuation is left for the caller to tidy. */
export const removeHedges = (text: string): Readonly<{ text: string; removed: readonly string[] }> => {
  const removed: string[] = [];
  const without = hedges.reduce(
    (given, { pattern, to }) =>
      outsideQuotes(given, (plain) =>
        plain.replace(pattern, (hedge: string, offset: number) => {
          removed.push(hedge);
          return to ? to(hedge, plain.slice(0, offset), plain.slice(offset + hedge.length)) : ' ';
        }),
      ),
    text,
  );
  return { text: without, removed };
};
