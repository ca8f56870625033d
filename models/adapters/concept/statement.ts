/** A statement made ready for judging: its claim, with a probe for every concept and the caps that no photo can lift. */
import type { Cap, VerdictReason } from '../../../main/contract/reason.ts';
import type { Concept, Concepts } from './concepts.ts';
import type { Lexicon } from './lexicon.ts';
import { readNounPhrases } from './noun-phrases.ts';
import { type Probe, prepareProbe } from './presence.ts';
import { type Atom, type Claim, type Group, readClaim } from './propositions.ts';
import type { Scenes } from './scenes.ts';
import type { Tagger, Token } from './tagger.ts';
import type { WordNet } from './wordnet.ts';

/** One concept to look for, and what caps a claim that it is there, whatever the photo. */
export type Term = Readonly<{ atom: Atom; probe: Probe; caps: Caps }>;
export type TermGroup = Readonly<{ terms: readonly Term[]; join: Group['join'] }>;

export type Hypothesis = Readonly<{
  claim: Claim;
  present: readonly TermGroup[];
  absent: readonly TermGroup[];
  caps: Caps;
}>;

export type StatementReader = Readonly<{
  tagger: Tagger;
  lexicon: Lexicon;
  concepts: Concepts;
  wordnet: WordNet;
  scenes: Scenes;
}>;

/** Caps by the side they are on. */
export type Caps = Readonly<{ yes: readonly Cap[]; no: readonly Cap[] }>;
export const noCaps: Caps = { yes: [], no: [] };
const bySide = (caps: readonly Cap[]): Caps =>
  caps.length === 0 ? noCaps : { yes: caps.filter((c) => c.side === 'yes'), no: caps.filter((c) => c.side === 'no') };

/** A side that is capped keeps at most this much: enough to show a lean, never enough to be decided. */
export const capLimit = 0.6;
export const cap = (side: Cap['side'], reason: VerdictReason): Cap => ({ side, limit: capLimit, reason });
const both = (reason: VerdictReason): readonly Cap[] => [cap('yes', reason), cap('no', reason)];

const wordsNotChecked = (words: readonly string[]): VerdictReason => ({
  code: 'words_not_checked',
  params: { words: [...new Set(words)], evidence: [] },
});

/**
 * What caps the claim that a concept is there. `beside` says whether the statement claims more than that: then only what
 * the models tell by itself, or what is large, may be denied; people are missed too often in unusual poses.
 */
function conceptCaps({ words, concept }: Atom, beside: boolean): readonly Cap[] {
  const { kind } = concept;
  if (kind === 'part' || kind === 'unseen') return both({ code: 'concept_unknown', params: { words: [words] } });
  const notChecked: VerdictReason = { code: 'person_not_checked', params: { concept: words } };
  if (kind === 'persons') return beside ? both(notChecked) : [cap('yes', notChecked)];
  if (!beside || concept.deniable) return [];
  if (kind === 'person') return [cap('no', notChecked)];
  if (kind === 'place') return [cap('no', wordsNotChecked([words]))];
  return [cap('no', { code: 'small_object', params: { concept: words } })];
}

const isHuman = ({ kind }: Concept): boolean => kind === 'person' || kind === 'persons';

function staticCaps(claim: Claim): readonly Cap[] {
  if (claim.present.length + claim.absent.length === 0) {
    return both(
      claim.beyond.length > 0
        ? { code: 'concept_unknown', params: { words: claim.beyond } }
        : { code: 'nothing_to_check', params: {} },
    );
  }
  const caps: Cap[] = [];
  if (claim.beyond.length > 0) caps.push(...both(wordsNotChecked(claim.beyond)));
  if (claim.unchecked.length > 0)
    caps.push(cap(claim.present.length > 0 ? 'yes' : 'no', wordsNotChecked(claim.unchecked)));
  if (claim.uncheckedAbsent.length > 0) caps.push(cap('no', wordsNotChecked(claim.uncheckedAbsent)));
  return caps;
}

/** Tokens without the full stop, which the tagger may glue to the last word. */
export const readTokens = (text: string, tagger: Tagger): readonly Token[] =>
  tagger(text.trim().replace(/[.!?\s]+$/, ''));

export function readStatement(
  text: string,
  { tagger, lexicon, concepts, wordnet, scenes }: StatementReader,
): Hypothesis {
  const person = concepts.find('person');
  if (!person) throw new Error('The pack has no concept of a person.');
  const items = readNounPhrases(readTokens(text, tagger), { concepts, lexicon });
  const claim = readClaim(items, person, lexicon);
  const atoms = [...claim.present, ...claim.absent].flatMap((group) => group.atoms);
  const words = claim.unchecked.length + claim.uncheckedAbsent.length;
  const isBeside = ({ concept }: Atom): boolean => atoms.length > 1 || (words > 0 && isHuman(concept));
  const probes = new Map<Concept, Probe>();
  const probeOf = (concept: Concept): Probe => {
    const probe = probes.get(concept) ?? prepareProbe(concept, wordnet, scenes);
    probes.set(concept, probe);
    return probe;
  };
  const prepare = (group: Group): TermGroup => ({
    terms: group.atoms.map((atom) => ({
      atom,
      probe: probeOf(atom.concept),
      caps: bySide(conceptCaps(atom, isBeside(atom))),
    })),
    join: group.join,
  });
  return {
    claim,
    present: claim.present.map(prepare),
    absent: claim.absent.map(prepare),
    caps: bySide(staticCaps(claim)),
  };
}
