/** Finds the noun phrases of a tagged statement: longest WordNet noun first, then what stands before it. */
import type { Concept, Concepts } from './concepts.ts';
import type { Lexicon } from './lexicon.ts';
import type { Count, Quantity } from './quantities.ts';
import type { Token } from './tagger.ts';

/** A word before the noun, and whether it is a visible noun itself ("city street"). */
export type Modifier = Readonly<{ word: string; noun: boolean }>;

export type NounPhrase = Readonly<{
  type: 'noun';
  /** The noun as written. */
  words: string;
  concept: Concept;
  definite: boolean;
  /** "a", "an". */
  indefinite: boolean;
  plural: boolean;
  count: Count | undefined;
  /** "no", "any" after a negation and the like are words of their own; these are adjectives and nouns before the noun. */
  modifiers: readonly Modifier[];
}>;
export type Word = Readonly<{ type: 'word'; token: Token }>;
export type Item = NounPhrase | Word;

/** Words that may turn a statement round, or narrow it: where the reader has no use for one, nothing is decided. */
export const changers: ReadonlySet<string> = new Set(
  (
    'other others another all every each most least more less fewer few half only even hardly barely scarcely rarely ' +
    'seldom almost nearly rather else except excepting besides unless if whether than own'
  ).split(' '),
);

/** Most words in a noun, hyphens not counted. */
const longest = 4;
const functionWords = new Set(['DET', 'ADP', 'AUX', 'PRON', 'CCONJ', 'SCONJ', 'PUNCT', 'PART']);

const isNoun = (token: Token): boolean => token.pos === 'NOUN' || token.pos === 'PROPN';

/** Stem of an -ing word, roughly: "skiing" -> "ski", "running" -> "run", "riding" -> "ride". */
export function verbStems(word: string): readonly string[] {
  const bare = /^(.+)(ing|ed|es|s)$/.exec(word)?.[1];
  if (!bare) return [word];
  const halved = /(.)\1$/.test(bare) ? [bare.slice(0, -1)] : [];
  return [word, bare, `${bare}e`, ...halved];
}

type Reader = Readonly<{ concepts: Concepts; lexicon: Lexicon; quantities: ReadonlyMap<string, Quantity> }>;

/** The concept that starts at a token and the number of tokens it takes. */
function match(tokens: readonly Token[], start: number, { concepts, lexicon }: Reader) {
  for (let size = Math.min(2 * longest, tokens.length - start); size >= 1; size--) {
    const span = tokens.slice(start, start + size);
    if (span.filter((t) => t.text !== '-').length > longest) continue;
    const [first, last] = [span[0]!, span[size - 1]!];
    if (size > 1 && (functionWords.has(first.pos) || functionWords.has(last.pos))) continue;
    if (functionWords.has(first.pos) && !lexicon.is('setting', first.text)) continue;
    if (size === 1 && !mayBeNoun(tokens, start, lexicon)) continue;
    const raw = span.map((t) => t.text).join(' ');
    const head = [...span.slice(0, -1).map((t) => t.text), last.lemma].join(' ');
    const concept = concepts.find(raw) ?? (head === raw ? undefined : concepts.find(head)) ?? singular(raw, concepts);
    if (size === 1 && concept?.kind === 'unseen' && lexicon.is('visible', first.lemma)) continue;
    if (concept) return { concept, size, words: span.map((t) => t.text).join(' '), plural: isPlural(last) };
  }
  return undefined;
}

const singular = (raw: string, concepts: Concepts): Concept | undefined =>
  /(ch|sh|x|ss)es$/.test(raw)
    ? concepts.find(raw.slice(0, -2))
    : /[^s]s$/.test(raw)
      ? concepts.find(raw.slice(0, -1))
      : undefined;

const irregularPlurals = new Set(['people', 'men', 'women', 'children', 'sheep', 'mice', 'geese', 'feet', 'oxen']);
const isPlural = (token: Token): boolean =>
  irregularPlurals.has(token.text) || (token.text !== token.lemma && token.text.endsWith('s')) || token.text === 'kids';

const isHuman = (token: Token, lexicon: Lexicon): boolean =>
  lexicon.is('people', token.text) || lexicon.is('persons', token.text);
const unnamed = ['picture', 'pronoun', 'nobody'] as const;

/** A single token is read as a noun when tagged so, or when it fills a noun's place ("a drake", "a grouse"). */
function mayBeNoun(tokens: readonly Token[], at: number, lexicon: Lexicon): boolean {
  const token = tokens[at]!;
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (unnamed.some((kind) => lexicon.is(kind, token.text))) return false;
  if (isHuman(token, lexicon)) return true;
  if (after?.text === 'of' && lexicon.collective(token.lemma) !== undefined) return false;
  if (lexicon.is('setting', token.text)) return after === undefined || !(after.pos === 'DET' || isNoun(after));
  if (lexicon.is('unseen', token.text) || lexicon.is('unseen', token.lemma)) return false;
  if (isNoun(token)) {
    const verb = /(ing|s)$/.test(token.text) && verbStems(token.text).some((stem) => lexicon.is('visible', stem));
    const afterNoun = before !== undefined && (isNoun(before) || isHuman(before, lexicon));
    return !(verb && (token.text.endsWith('ing') ? before?.pos !== 'DET' : afterNoun));
  }
  if (token.pos !== 'VERB' && token.pos !== 'ADJ' && token.pos !== 'X' && token.pos !== 'INTJ') return false;
  const opens = before === undefined || before.pos === 'DET' || before.pos === 'ADJ' || before.pos === 'NUM';
  const closes = after === undefined || !(isNoun(after) || after.pos === 'ADJ' || after.pos === 'VERB');
  const slot = before !== undefined && opens && closes;
  return slot && !lexicon.is('visible', token.text);
}

const isExact = (token: Token | undefined, lexicon: Lexicon): boolean =>
  token !== undefined && lexicon.is('exact', token.text);

/** A count before a noun, and at which tokens it is said. */
type CountFound = Readonly<{ count: Count | undefined; at: readonly number[] }>;
const noCount: CountFound = { count: undefined, at: [] };

/** "two", "exactly one", "a single", "several", "a group of": the count before a noun. */
function countBefore(tokens: readonly Token[], start: number, from: number, reader: Reader): CountFound {
  const { lexicon, quantities } = reader;
  for (let i = from; i < start; i++) {
    const { text, lemma } = tokens[i]!;
    const quantity = quantities.get(text);
    if (quantity) return { count: quantity.count ?? undefined, at: quantity.count ? [i] : [] };
    const number = lexicon.number(text);
    if (number !== undefined) {
      const said = isExact(tokens[i - 1], lexicon);
      const exact = said || isExact(tokens[i], lexicon);
      return { count: { least: number, exact, vague: false }, at: said ? [i - 1, i] : [i] };
    }
    const some = lexicon.collective(text) ?? lexicon.collective(lemma);
    if (some !== undefined) return { count: { least: some, exact: false, vague: some !== 2 }, at: [i] };
  }
  return noCount;
}

/** Splits a statement into noun phrases and single words, in order; every token is in exactly one item. */
export function readNounPhrases(tokens: readonly Token[], reader: Reader): readonly Item[] {
  const { lexicon } = reader;
  const items: Item[] = [];
  let from = 0;
  let at = 0;
  while (at < tokens.length) {
    const found = match(tokens, at, reader);
    if (!found) {
      at += 1;
      continue;
    }
    const end = at + found.size;
    const head = tokens[end];
    const human = ['person', 'persons'].includes(found.concept.kind);
    const isModifier = !human && head !== undefined && isNoun(head) && match(tokens, end, reader) !== undefined;
    const collectiveAfter = head === undefined ? undefined : lexicon.collective(head.lemma);
    if (isModifier && collectiveAfter === undefined) {
      at = end;
      continue;
    }
    const begin = phraseStart(tokens, from, at, reader);
    for (let i = from; i < begin; i++) items.push({ type: 'word', token: tokens[i]! });
    const inside = tokens.slice(begin, at);
    const counted =
      collectiveAfter === undefined
        ? countBefore(tokens, at, begin, reader)
        : { count: { least: collectiveAfter, exact: false, vague: true }, at: [] };
    items.push({
      type: 'noun',
      words: found.words,
      concept: found.concept,
      definite: inside.some((t) => t.text === 'the' || t.text === 'this' || t.text === 'that'),
      indefinite: inside.some((t) => t.text === 'a' || t.text === 'an'),
      plural: found.plural,
      count: counted.count,
      modifiers: inside
        .filter((t, i) => !counted.at.includes(begin + i) && isModifierWord(t, reader))
        .map((t) => ({
          word: reader.quantities.get(t.text)?.written ?? t.text,
          noun: isNoun(t) && reader.concepts.find(t.lemma) !== undefined,
        })),
    });
    at = collectiveAfter === undefined ? end : end + 1;
    from = at;
  }
  for (let i = from; i < tokens.length; i++) items.push({ type: 'word', token: tokens[i]! });
  return items;
}

/** Determiners that say no more than that the noun is there, or that are read as words of their own. */
const plainDeterminers = new Set('a an the this that these those some any no neither such both'.split(' '));

/** Whether a word before the noun says something that the noun and its count do not. */
const isModifierWord = (token: Token, { lexicon, quantities }: Reader): boolean => {
  const { text, lemma, pos } = token;
  if (quantities.has(text)) return true;
  if (pos === 'DET') return !plainDeterminers.has(text) && lexicon.collective(text) === undefined;
  if (functionWords.has(pos)) return false;
  if (lexicon.number(text) !== undefined) return text !== 'one';
  return (
    lexicon.collective(text) === undefined &&
    lexicon.collective(lemma) === undefined &&
    (changers.has(text) || lexicon.is('exact', text) || (!lexicon.is('neutral', text) && !lexicon.is('neutral', lemma)))
  );
};

/** Where a noun phrase opens: back over adjectives, numbers, nouns, "a group of" and one determiner. */
function phraseStart(tokens: readonly Token[], from: number, noun: number, { lexicon, quantities }: Reader): number {
  let start = noun;
  while (start > from) {
    const before = tokens[start - 1]!;
    const takesOf = before.text === 'of' && start - 2 >= from && isMeasure(tokens[start - 2]!, lexicon);
    const inside =
      takesOf ||
      before.pos === 'ADJ' ||
      before.pos === 'NUM' ||
      isNoun(before) ||
      lexicon.is('exact', before.text) ||
      quantities.has(before.text) ||
      lexicon.number(before.text) !== undefined ||
      lexicon.collective(before.text) !== undefined ||
      before.text === '-' ||
      (before.pos === 'VERB' && /(ing|ed)$/.test(before.text) && opensPhrase(tokens[start - 2]));
    if (!inside || isPictureWord(before, lexicon)) break;
    start -= takesOf ? 2 : 1;
  }
  const before = tokens[start - 1];
  return start > from && before?.pos === 'DET' && !negations.has(before.text) ? start - 1 : start;
}

const negations = new Set(['no', 'neither', 'any']);
const opensPhrase = (token: Token | undefined): boolean =>
  token !== undefined && ['DET', 'NUM', 'ADJ'].includes(token.pos);
const isPictureWord = (token: Token, lexicon: Lexicon): boolean => lexicon.is('picture', token.lemma);
const isMeasure = (token: Token, lexicon: Lexicon): boolean =>
  lexicon.collective(token.text) !== undefined ||
  lexicon.collective(token.lemma) !== undefined ||
  ['piece', 'kind', 'type', 'sort', 'variety'].includes(token.lemma);
