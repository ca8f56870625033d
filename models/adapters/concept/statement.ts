/** A statement made ready for judging: its claim, with a probe for every concept and the caps that no photo can lift. */
import type { VerdictReason } from '../../../main/contract/reason.ts';
import { plainText } from '../plain-text.ts';
import type { Concept, Concepts } from './concepts.ts';
import type { Lexicon } from './lexicon.ts';
import { readNounPhrases } from './noun-phrases.ts';
import { type Probe, prepareProbe } from './presence.ts';
import { type Atom, type Claim, type Group, readClaim } from './propositions.ts';
import { type QuantityText, readQuantities } from './quantities.ts';
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

/** Why each side must not be decided; nothing does where both are empty. */
export type Caps = Readonly<{ yes: readonly VerdictReason[]; no: readonly VerdictReason[] }>;
export const noCaps: Caps = { yes: [], no: [] };

const both = (reason: VerdictReason): Caps => ({ yes: [reason], no: [reason] });
const onYes = (reason: VerdictReason): Caps => ({ yes: [reason], no: [] });
const onNo = (reason: VerdictReason): Caps => ({ yes: [], no: [reason] });

const wordsNotChecked = (words: readonly string[]): VerdictReason => ({
  code: 'words_not_checked',
  params: { words: [...new Set(words)], evidence: [] },
});

/**
 * What caps the claim that a concept is there. `beside` says whether the statement claims more than that: then only what
 * the models tell by itself, or what is large, may be denied; people are missed too often in unusual poses.
 */
function conceptCaps({ words, concept, doubtful }: Atom, beside: boolean): Caps {
  const { kind } = concept;
  if (doubtful) return onYes(wordsNotChecked([words]));
  if (kind === 'part' || kind === 'unseen') return both({ code: 'concept_unknown', params: { words: [words] } });
  const notChecked: VerdictReason = { code: 'person_not_checked', params: { concept: words } };
  if (kind === 'persons') return beside ? both(notChecked) : onYes(notChecked);
  if (!beside || concept.deniable) return noCaps;
  if (kind === 'person') return onNo(notChecked);
  if (kind === 'place') return onNo(wordsNotChecked([words]));
  return onNo({ code: 'small_object', params: { concept: words } });
}

const isHuman = ({ kind }: Concept): boolean => kind === 'person' || kind === 'persons';

function staticCaps(claim: Claim): Caps {
  const { present, absent, unchecked, uncheckedAbsent, beyond } = claim;
  if (present.length + absent.length === 0) {
    return both(
      beyond.length > 0
        ? { code: 'concept_unknown', params: { words: beyond } }
        : { code: 'nothing_to_check', params: {} },
    );
  }
  const yes: VerdictReason[] = [];
  const no: VerdictReason[] = [];
  if (beyond.length > 0) {
    yes.push(wordsNotChecked(beyond));
    no.push(wordsNotChecked(beyond));
  }
  if (unchecked.length > 0) (present.length > 0 ? yes : no).push(wordsNotChecked(unchecked));
  if (uncheckedAbsent.length > 0) no.push(wordsNotChecked(uncheckedAbsent));
  return { yes, no };
}

/** Tokens without the full stop, which the tagger may glue to the last word; with them, what their numbers mean. */
export const readTokens = (
  text: string,
  tagger: Tagger,
): Readonly<{ tokens: readonly Token[] } & Omit<QuantityText, 'text'>> => {
  const { text: read, quantities } = readQuantities(plainText(text).replace(/[.!?\s]+$/, ''));
  return { tokens: tagger(read), quantities };
};

export function readStatement(
  text: string,
  { tagger, lexicon, concepts, wordnet, scenes }: StatementReader,
): Hypothesis {
  const person = concepts.find('person');
  if (!person) throw new Error('The pack has no concept of a person.');
  const { tokens, quantities } = readTokens(text, tagger);
  const items = readNounPhrases(tokens, { concepts, lexicon, quantities });
  const claim = readClaim(items, person, lexicon, quantities);
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
      caps: conceptCaps(atom, isBeside(atom)),
    })),
    join: group.join,
  });
  return {
    claim,
    present: claim.present.map(prepare),
    absent: claim.absent.map(prepare),
    caps: staticCaps(claim),
  };
}
