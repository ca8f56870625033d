/** Scores a pack's verdicts on labelled pairs: reads PAIRS.tsv, computes the figures, writes predictions. Pure. */
import type { EvalFigures } from '../contract/cli.ts';
import { type VouchError, vouchError } from '../contract/errors.ts';
import { type Label, labels, type Probabilities } from '../contract/labels.ts';
import type { VerdictReason } from '../contract/reason.ts';
import type { Result } from '../contract/result.ts';

/** `kind` is null where the file has no such column; `columns` are the line's values, in the header's order. */
export type LabelledPair = Readonly<{
  photo: string;
  label: Label;
  statement: string;
  kind: string | null;
  columns: readonly string[];
}>;
export type PairsFile = Readonly<{ header: readonly string[]; pairs: readonly LabelledPair[] }>;

/** p after calibration and caps; null where nothing was judged, which leaves the pair out of the figures on p. */
export type Prediction = Readonly<{ label: Label; p: Probabilities | null; reasonCode: VerdictReason['code'] }>;
export type ScoredPair = Readonly<{ pair: Pick<LabelledPair, 'photo' | 'label' | 'kind'>; prediction: Prediction }>;

const required = ['photo', 'label', 'statement'] as const;

/** Tab-separated, the first line names the columns: photo, label and statement in any order, any more are kept. */
export const readPairs = (text: string, file: string): Result<PairsFile, VouchError<'pairs_invalid'>> => {
  const invalid = (line: number, problem: string) =>
    ({ ok: false, error: vouchError('pairs_invalid', { file, line, problem }) }) as const;
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const header = lines[0]?.split('\t').map((name) => name.trim()) ?? [];
  for (const name of required) {
    if (header.filter((column) => column === name).length !== 1) {
      return invalid(1, `the first line must name one column "${name}"`);
    }
  }
  const at = (name: string) => header.indexOf(name);
  const pairs: LabelledPair[] = [];
  for (const [i, line] of lines.entries()) {
    if (i === 0 || line.trim() === '') continue;
    const columns = line.split('\t');
    if (columns.length !== header.length) {
      return invalid(i + 1, `has ${columns.length} columns, the first line ${header.length}`);
    }
    const value = (name: string) => (columns[at(name)] ?? '').trim();
    const label = labels.find((known) => known === value('label'));
    if (!label) return invalid(i + 1, `label must be yes, no or maybe, not "${value('label')}"`);
    if (value('photo') === '' || value('statement') === '') return invalid(i + 1, 'photo or statement is empty');
    const kind = at('kind') === -1 ? null : value('kind');
    pairs.push({ photo: value('photo'), label, statement: value('statement'), kind, columns });
  }
  return { ok: true, value: { header, pairs } };
};

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
const count = <T>(items: readonly T[], holds: (item: T) => boolean): number =>
  items.reduce((sum, item) => sum + (holds(item) ? 1 : 0), 0);

const isRight = ({ pair, prediction }: ScoredPair): boolean => pair.label === prediction.label;
const isDecided = ({ prediction }: ScoredPair): boolean => prediction.label !== 'maybe';

const basics = (pairs: readonly ScoredPair[]) => {
  const decided = pairs.filter(isDecided);
  return {
    pairs: pairs.length,
    accuracy: share(count(pairs, isRight), pairs.length),
    coverage: share(decided.length, pairs.length),
    accuracyDecided: share(count(decided, isRight), decided.length),
  };
};

/** Of the pairs labelled otherwise, the share that got `label`. */
const falseShare = (pairs: readonly ScoredPair[], label: 'yes' | 'no'): number | null => {
  const others = pairs.filter(({ pair }) => pair.label !== label);
  return share(
    count(others, ({ prediction }) => prediction.label === label),
    others.length,
  );
};

type Score = Readonly<{ yes: boolean; p: number }>;

/** p(yes) of the pairs labelled yes or no that were judged, in rising order. */
const scoresOf = (pairs: readonly ScoredPair[]): readonly Score[] =>
  pairs
    .flatMap(({ pair, prediction: { p } }) =>
      pair.label === 'maybe' || p === null ? [] : [{ yes: pair.label === 'yes', p: p.yes }],
    )
    .sort((a, b) => a.p - b.p);

/** Runs of equal p(yes), in rising order: where they start, how long they are and how many of them are yes. */
const tiesOf = (scores: readonly Score[]): readonly Readonly<{ from: number; size: number; yes: number }>[] => {
  const ties: { from: number; size: number; yes: number }[] = [];
  for (const [i, { yes, p }] of scores.entries()) {
    const last = ties.at(-1);
    const tie = last && scores[last.from]?.p === p ? last : { from: i, size: 0, yes: 0 };
    if (tie !== last) ties.push(tie);
    tie.size += 1;
    if (yes) tie.yes += 1;
  }
  return ties;
};

/** The chance that a yes pair has a higher p(yes) than a no pair; ties count half (Mann-Whitney). */
const aucOf = (scores: readonly Score[]): number | null => {
  const yes = count(scores, (score) => score.yes);
  // Ranks count from 1, and a tie shares the mean of its ranks.
  const rankSum = tiesOf(scores).reduce((sum, tie) => sum + tie.yes * (tie.from + (tie.size + 1) / 2), 0);
  return share(rankSum - (yes * (yes + 1)) / 2, yes * (scores.length - yes));
};

const calibrationBins = 15;

/**
 * Expected calibration error over bins of equal mass (Nguyen and O'Connor 2015, "Posterior calibration and exploratory
 * analysis for natural language processing models"): the mean gap between p(yes) and the share of yes, by bin size.
 * Pairs of equal p(yes) count alike, so that the order of the pairs does not matter.
 */
const eceOf = (scores: readonly Score[]): number | null => {
  const gap = tiesOf(scores).flatMap(({ from, size, yes }) => Array<number>(size).fill(scores[from]!.p - yes / size));
  let gaps = 0;
  for (let bin = 0; bin < calibrationBins; bin += 1) {
    const from = Math.round((bin * scores.length) / calibrationBins);
    const to = Math.round(((bin + 1) * scores.length) / calibrationBins);
    gaps += Math.abs(gap.slice(from, to).reduce((a, b) => a + b, 0));
  }
  return share(gaps, scores.length);
};

const confusionOf = (pairs: readonly ScoredPair[]): EvalFigures['confusion'] => {
  const row = (truth: Label) => {
    const given = (label: Label) => count(pairs, (s) => s.pair.label === truth && s.prediction.label === label);
    return { yes: given('yes'), no: given('no'), maybe: given('maybe') };
  };
  return { yes: row('yes'), no: row('no'), maybe: row('maybe') };
};

/** Pairs that were not judged (flat, timed out) are to be left out by the caller. */
export const evaluate = (pairs: readonly ScoredPair[]): EvalFigures => {
  const scores = scoresOf(pairs);
  const kinds = new Map<string, ScoredPair[]>();
  for (const scored of pairs) {
    const { kind } = scored.pair;
    if (kind === null) continue;
    const members = kinds.get(kind);
    if (members) members.push(scored);
    else kinds.set(kind, [scored]);
  }
  return {
    ...basics(pairs),
    photos: new Set(pairs.map(({ pair }) => pair.photo)).size,
    falseYes: falseShare(pairs, 'yes'),
    falseNo: falseShare(pairs, 'no'),
    auc: aucOf(scores),
    ece: eceOf(scores),
    confusion: confusionOf(pairs),
    byKind: Object.fromEntries([...kinds].map(([kind, members]) => [kind, basics(members)])),
  };
};

const predicted = ['predicted', 'p_yes', 'p_no', 'p_maybe', 'reason_code'] as const;
const figure = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(6));

/** The input's columns as they were, then what was predicted; p is empty where nothing was judged. */
export const writePredictions = (
  { header, pairs }: PairsFile,
  predictionOf: (pair: LabelledPair, index: number) => Prediction,
): string => {
  const lines = pairs.map((pair, i) => {
    const { label, p, reasonCode } = predictionOf(pair, i);
    return [...pair.columns, label, figure(p?.yes), figure(p?.no), figure(p?.maybe), reasonCode];
  });
  return [[...header, ...predicted], ...lines].map((columns) => `${columns.join('\t')}\n`).join('');
};
