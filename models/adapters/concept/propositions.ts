/** What a statement claims, as far as it can be checked: which concepts are there, which are not, and what is left over. */
import type { Concept } from './concepts.ts';
import type { Lexicon } from './lexicon.ts';
import { changers, type Item, type Modifier, type NounPhrase, verbStems, type Word } from './noun-phrases.ts';
import type { Count, Quantity } from './quantities.ts';

export type Atom = Readonly<{
  words: string;
  concept: Concept;
  count: Count | undefined;
  /** It must not be there, in a group of which others may be ("a dog or no cat"). */
  negated?: boolean;
  /** Two readings of the statement differ in it, so it decides nothing by being there ("no cat or a dog"). */
  doubtful?: boolean;
}>;

/** Atoms joined by "or" (any of them) or by a relation or "and" (all of them). */
export type Group = Readonly<{ atoms: readonly Atom[]; join: 'any' | 'all' }>;

export type Claim = Readonly<{
  /** Every group must hold. */
  present: readonly Group[];
  /** No group may hold. */
  absent: readonly Group[];
  /** Visible words that are not checked: they weaken a YES (and inside a negation a NO). */
  unchecked: readonly string[];
  uncheckedAbsent: readonly string[];
  /** Words that no photo, or nothing here, can check: nothing is decided. */
  beyond: readonly string[];
}>;

type Draft = { atoms: Atom[]; join: 'any' | 'all'; negated: boolean };

const negators = new Set(['no', 'without', 'zero', 'neither', 'nor', 'lacking', 'lacks', 'lack']);
const shows = new Set(['visible', 'present', 'seen', 'shown', 'there', 'in']);
const carriers = new Set(['show', 'contain', 'include', 'have', 'feature', 'depict', 'see', 'be', 'appear', 'there']);
const articles = new Set(['a', 'an', 'any', 'the', 'one', 'some']);
const ors = new Set(['or', 'nor']);
/** "anything but a cat": what "but" takes out of these is no more than the rest. */
const takesOut = new Set(
  'all any anything anyone anybody everything everyone everybody nothing none nobody'.split(' '),
);

const isOneOf = (item: Item | undefined, words: ReadonlySet<string>): boolean =>
  item?.type === 'word' && (words.has(item.token.text) || words.has(item.token.lemma));

const isNot = (item: Item): boolean => item.type === 'word' && ['not', "n't", 'never'].includes(item.token.text);

/** What "not" at this place denies: the noun after it, the noun before it, or something that is not checked. */
function scopeOfNot(items: readonly Item[], at: number, lexicon: Lexicon): 'next' | 'previous' | 'beyond' {
  let i = at + 1;
  while (isOneOf(items[i], articles) || isOneOf(items[i], carriers)) i += 1;
  const next = items[i];
  if (next === undefined) return i > at + 1 ? 'previous' : 'beyond';
  if (next.type === 'noun') return 'next';
  if (!shows.has(next.token.text)) return 'beyond';
  if (next.token.text !== 'in') return 'previous';
  const place = items.slice(i + 1).find((item) => !isOneOf(item, articles));
  return place?.type === 'word' && lexicon.is('picture', place.token.lemma) ? 'previous' : 'beyond';
}

/** "the men are doctors": a role said of people who are already named. */
function isPredicate(items: readonly Item[], at: number): boolean {
  const between: Item[] = [];
  for (let i = at - 1; i >= 0; i--) {
    const item = items[i]!;
    if (item.type === 'noun') {
      return ['person', 'persons'].includes(item.concept.kind) && between.length > 0 && between.every((b) => isBe(b));
    }
    between.push(item);
  }
  return false;
}
const isBe = (item: Item): boolean => item.type === 'word' && (item.token.pos === 'AUX' || item.token.pos === 'DET');

type WordUse = 'skip' | 'unchecked' | 'beyond';

/** "at all" only stresses; "both a cat and a dog" says what "and" says. */
const isStress = (items: readonly Item[], at: number): boolean => {
  const item = items[at];
  if (item?.type !== 'word') return false;
  if (item.token.text === 'all') return isOneOf(items[at - 1], new Set(['at']));
  return item.token.text === 'both' && items.slice(at + 1).some((later) => isOneOf(later, new Set(['and'])));
};

/** "there used to be a cat" tells of another time. */
const isUsedTo = (items: readonly Item[], at: number): boolean =>
  isOneOf(items[at], new Set(['used'])) && isOneOf(items[at + 1], new Set(['to']));

/** "as many cats as dogs" compares. */
const isAsMuchAs = (items: readonly Item[], at: number): boolean => {
  const as = new Set(['as']);
  return isOneOf(items[at], as) && items.some((item, i) => i > at + 1 && isOneOf(item, as));
};

function kindOfUse(token: Word['token'], lexicon: Lexicon): WordUse {
  const forms = [token.text, token.lemma, ...verbStems(token.text)];
  const any = (kind: Parameters<Lexicon['is']>[0]): boolean => forms.some((form) => lexicon.is(kind, form));
  if (any('exact')) return 'unchecked';
  if (changers.has(token.text)) return 'beyond';
  if (token.pos === 'PUNCT' || token.pos === 'SYM' || token.pos === 'SPACE') return 'skip';
  if (lexicon.is('unseen', token.text) || lexicon.is('unseen', token.lemma)) return 'beyond';
  if (token.pos === 'AUX' && /^(ha[sd]|have|will|'ve|'ll|'d)$/.test(token.text)) return 'skip';
  if (any('picture') || any('neutral') || any('spatial')) return 'skip';
  if (any('visible') || any('relation') || any('pronoun') || any('part')) return 'unchecked';
  if (lexicon.number(token.text) !== undefined || lexicon.collective(token.lemma) !== undefined) return 'unchecked';
  return 'beyond';
}

const isPast = (items: readonly Item[], at: number): boolean => {
  const item = items[at]!;
  if (
    item.type !== 'word' ||
    item.token.pos !== 'AUX' ||
    !/^(has|have|had|'ve|'d|will|'ll|was|were)$/.test(item.token.text)
  ) {
    return false;
  }
  const rest = items
    .slice(at + 1)
    .filter((i) => i.type !== 'word' || (i.token.pos !== 'ADV' && i.token.pos !== 'PART'));
  const verb = rest[0];
  return (
    verb?.type === 'word' && (verb.token.pos === 'VERB' || verb.token.pos === 'AUX') && !/ing$/.test(verb.token.text)
  );
};

/** "no cat, dog, or bird": the commas of a list that ends in "or". */
const isListWithOr = (items: readonly Item[], from: number): boolean => {
  for (let i = from; i < items.length; i++) {
    const item = items[i]!;
    if (isOneOf(item, ors)) return true;
    if (item.type === 'word' && item.token.text !== ',') return false;
    if (item.type === 'noun' && !isBare(item)) return false;
  }
  return false;
};
const isBare = ({ definite, indefinite, count }: NounPhrase): boolean =>
  !definite && !indefinite && count === undefined;

/** "at most two" is "not three or more". */
const asDenied = (most = 0): Count | undefined =>
  most === 0 ? undefined : { least: most + 1, exact: false, vague: true };
const isUpperBound = (count: Count | undefined): boolean => count?.least === 0;

export function readClaim(
  items: readonly Item[],
  personConcept: Concept,
  lexicon: Lexicon,
  quantities: ReadonlyMap<string, Quantity>,
): Claim {
  const groups: Draft[] = [];
  const unchecked: string[] = [];
  const uncheckedAbsent: string[] = [];
  const beyond: string[] = [];
  let negated = false;
  /** Only the next thing is denied: "a dog or no cat". */
  let flipped = false;
  /** The word that denies, while it does. */
  let negator = '';
  /** A denial of which it is not known yet what it denies. */
  let dangling = '';
  let open: Draft | undefined;
  let joiner: 'or' | 'and' | 'other' = 'other';

  const note = (word: string, use: WordUse): void => {
    if (use === 'beyond') beyond.push(word);
    else if (use === 'unchecked') (negated ? uncheckedAbsent : unchecked).push(word);
  };
  const add = (atom: Atom): void => {
    dangling = '';
    const joins = open !== undefined && open.negated === negated && (joiner === 'or' || negated);
    if (flipped && open) {
      open.atoms.push({ ...atom, negated: true });
      flipped = false;
    } else if (joins && open) {
      open.atoms.push(atom);
      if (joiner === 'other') open.join = 'all';
    } else {
      open = { atoms: [atom], join: 'any', negated };
      groups.push(open);
    }
    joiner = 'other';
  };

  const readNoun = (noun: NounPhrase, at: number): void => {
    if (isPredicate(items, at) && noun.concept.kind === 'persons') {
      beyond.push(noun.words);
      return;
    }
    for (const modifier of noun.modifiers) note(modifier.word, modifierUse(modifier, lexicon));
    if (noun.concept.kind === 'part' && items.some((item) => item.type === 'noun' && item.concept.kind !== 'part')) {
      note(noun.words, 'unchecked');
      return;
    }
    if (negated && joiner === 'other' && open?.negated) uncheckedAbsent.push(noun.words);
    const { words, concept, count } = noun;
    if (isUpperBound(count)) {
      if (negated || joiner === 'or') beyond.push(words);
      dangling = '';
      open = { atoms: [{ words, concept, count: asDenied(count?.most) }], join: 'any', negated: true };
      groups.push(open);
      open = undefined;
      joiner = 'other';
      return;
    }
    const single = count?.least === 1 && count.most === undefined;
    const orAnother = negated && negator === 'no' && joiner === 'or' && noun.indefinite;
    if (orAnother && open && isOneOf(items[0], new Set(['either']))) {
      open.atoms = open.atoms.map((atom) => ({ ...atom, negated: true }));
      open.negated = false;
      negated = false;
      add({ words, concept, count });
      return;
    }
    add({ words, concept, count: (negated || flipped) && single ? undefined : count, doubtful: orAnother });
  };

  /** Whether what follows is one of several that may hold, so that a denial holds for it alone. */
  const deniesOneOf = (): boolean => joiner === 'or' && open !== undefined && !open.negated && !negated;

  const deny = (word: string): void => {
    dangling = word;
    if (deniesOneOf()) {
      flipped = true;
      return;
    }
    if (negated) beyond.push(word);
    negated = true;
    negator = word;
  };

  const readWord = (item: Word, at: number): void => {
    const { token } = item;
    if (lexicon.is('nobody', token.text) || (token.text === 'no' && isOneOf(items[at + 1], new Set(['one'])))) {
      deny(token.text);
      add({ words: 'person', concept: personConcept, count: undefined });
      return;
    }
    if (token.text === 'one' && isOneOf(items[at - 1], new Set(['no']))) return;
    if (negators.has(token.text)) {
      if (token.text === 'nor') {
        joiner = 'or';
        negated = true;
        return;
      }
      const afterNot = items[at - 1];
      if (negated && afterNot && isNot(afterNot)) return;
      if (!deniesOneOf()) open = undefined;
      deny(token.text);
      return;
    }
    if (isNot(item)) {
      const scope = scopeOfNot(items, at, lexicon);
      if (scope === 'beyond') beyond.push(token.text);
      if (scope === 'next') deny(token.text);
      const previous = groups.at(-1);
      if (scope === 'previous' && previous?.negated) beyond.push(token.text);
      if (scope === 'previous' && previous) previous.negated = true;
      return;
    }
    const quantity = quantities.get(token.text);
    if (quantity) {
      beyond.push(quantity.written);
      return;
    }
    if (isStress(items, at)) return;
    if (isUsedTo(items, at) || isAsMuchAs(items, at)) {
      beyond.push(token.text);
      return;
    }
    if (token.text === 'but' && isOneOf(items[at - 1], takesOut)) {
      beyond.push(token.text);
      return;
    }
    if (token.text === ',' && negated) {
      const next = items[at + 1];
      if (isOneOf(next, ors)) return;
      if (next?.type === 'noun' && isBare(next)) {
        if (isListWithOr(items, at + 1)) joiner = 'or';
        else beyond.push(next.words);
        return;
      }
    }
    if (token.text === 'or') joiner = 'or';
    else if (token.text === 'and' || token.text === 'but' || token.text === ',' || token.text === ';') {
      const next = items[at + 1];
      const bare = next?.type === 'noun' && !next.definite && next.count === undefined && token.text === 'and';
      if (!(negated && bare && next.plural)) {
        if (dangling !== '') beyond.push(dangling);
        dangling = '';
        negated = false;
      }
      joiner = negated ? 'or' : 'and';
    } else if (isPast(items, at) && !isPictureTaken(items, lexicon)) beyond.push(token.text);
    else note(token.text, kindOfUse(token, lexicon));
  };

  for (const [at, item] of items.entries()) {
    if (item.type === 'noun') readNoun(item, at);
    else readWord(item, at);
  }

  if (dangling !== '') beyond.push(dangling);
  const finish = (group: Draft): Group => ({ atoms: group.atoms, join: group.join });
  return {
    present: groups.filter((g) => !g.negated).map(finish),
    absent: groups.filter((g) => g.negated).map(finish),
    unchecked,
    uncheckedAbsent,
    beyond,
  };
}

/** "the photo was taken in a kitchen" is about the photo, not about the past. */
const isPictureTaken = (items: readonly Item[], lexicon: Lexicon): boolean =>
  items.some((item) => item.type === 'word' && lexicon.is('picture', item.token.lemma)) &&
  items.some((item) => isOneOf(item, new Set(['take'])));

function modifierUse({ word, noun }: Modifier, lexicon: Lexicon): WordUse {
  if (lexicon.is('exact', word) || word === 'other' || word === 'another') return 'unchecked';
  if (lexicon.is('unseen', word) || changers.has(word)) return 'beyond';
  if (noun) return 'unchecked';
  const forms = [word, ...verbStems(word)];
  const kinds = ['people', 'persons', 'visible', 'relation', 'vague', 'setting'] as const;
  return forms.some((form) => kinds.some((kind) => lexicon.is(kind, form))) ? 'unchecked' : 'beyond';
}
