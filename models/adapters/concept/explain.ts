/** What was looked for, what was found and what could not be checked, for a person to read. */
import type { Explanation, LookedFor } from '../../../main/contract/reason.ts';
import { classAt, type Evidence, keptClasses, maximumScore, probabilityAt } from './evidence.ts';
import { type Judge, presence } from './judge.ts';
import type { Hypothesis, Term } from './statement.ts';

type Found = Explanation['concepts'][number]['evidence'][number];
const shown = 3;

function foundFor(judge: Judge, evidence: Evidence, { probe }: Term): readonly Found[] {
  const found: Found[] = [];
  for (let i = 0; i < keptClasses && found.length < shown; i++) {
    const index = classAt(evidence, i);
    if (probe.shares[2 * index]! === 0) continue;
    found.push({ name: judge.classNames[index]!, score: probabilityAt(evidence, i), source: 'classifier' });
  }
  const detections = [...probe.detections, ...probe.above]
    .map(
      (index): Found => ({
        name: judge.detectorNames[index]!,
        score: maximumScore(evidence, index),
        source: 'detector',
      }),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, shown);
  const top: Found = {
    name: judge.classNames[classAt(evidence, 0)]!,
    score: probabilityAt(evidence, 0),
    source: 'classifier',
  };
  return found.length + detections.length > 0 ? [...found, ...detections] : [top];
}

const wordsNotChecked = ({ claim }: Hypothesis): readonly string[] => [
  ...new Set([...claim.unchecked, ...claim.uncheckedAbsent, ...claim.beyond]),
];

const isTaught = ({ atom }: Term): boolean => atom.concept.kind !== 'part' && atom.concept.kind !== 'unseen';
const termsOf = (groups: Hypothesis['present']): readonly Term[] => groups.flatMap((group) => group.terms);

/** The same without a photo, with the concepts that neither model was taught. */
export function notCheckable(hypothesis: Hypothesis): readonly string[] {
  const untaught = [...termsOf(hypothesis.present), ...termsOf(hypothesis.absent)].filter((term) => !isTaught(term));
  return [...new Set([...wordsNotChecked(hypothesis), ...untaught.map(({ atom }) => atom.words)])];
}

/** The concepts that one of the models was taught. */
export function looksFor({ present, absent }: Hypothesis): readonly LookedFor[] {
  const listed = (groups: Hypothesis['present'], negated: boolean) =>
    [
      ...new Set(
        termsOf(groups)
          .filter(isTaught)
          .map(({ atom }) => atom.words),
      ),
    ].map((words) => ({ words, negated }));
  return [...listed(present, false), ...listed(absent, true)];
}

export function explainPhoto(judge: Judge, evidence: Evidence, hypothesis: Hypothesis): Explanation {
  const { present, absent } = hypothesis;
  const lookUp = (negated: boolean) => (term: Term) => ({
    words: term.atom.words,
    concept: term.atom.concept.name,
    negated,
    p: term.atom.concept.kind === 'part' ? null : presence(judge, evidence, term),
    evidence: foundFor(judge, evidence, term),
  });
  return {
    concepts: [
      ...present.flatMap((group) => group.terms.map(lookUp(false))),
      ...absent.flatMap((group) => group.terms.map(lookUp(true))),
    ],
    notChecked: wordsNotChecked(hypothesis),
  };
}
