/** Scores judgements on labelled pairs, as `vouch eval` does, and the controls that tell whether the photo matters. */
import type { Label } from '../../main/contract/labels.ts';
import type { Judgement } from '../../main/contract/seam.ts';
import type { Pair } from './fit-data.ts';

export type Thresholds = Readonly<{ yes: number; no: number }>;
export type Scored = Readonly<{ pair: Pair; label: Label }>;

/** The label policy of main/verdicts, without a user's calibration. */
export function labelOf({ p, caps }: Judgement, thresholds: Thresholds): Label {
  const limit = (side: 'yes' | 'no'): number => Math.min(1, ...caps.filter((c) => c.side === side).map((c) => c.limit));
  const [yes, no] = [Math.min(p.yes, limit('yes')), Math.min(p.no, limit('no'))];
  const maybe = 1 - yes - no;
  if (maybe >= yes && maybe >= no) return 'maybe';
  const side = yes >= no ? 'yes' : 'no';
  const decided = !caps.some((c) => c.side === side) && Math.max(yes, no) >= thresholds[side];
  return decided ? side : 'maybe';
}

export type Figures = Readonly<{
  pairs: number;
  coverage: number;
  accuracyDecided: number | null;
  yesToNo: number | null;
}>;

export function figures(scored: readonly Scored[]): Figures {
  const decided = scored.filter((s) => s.label !== 'maybe');
  const yes = scored.filter((s) => s.pair.label === 'yes');
  const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  return {
    pairs: scored.length,
    coverage: decided.length / Math.max(1, scored.length),
    accuracyDecided: share(decided.filter((s) => s.label === s.pair.label).length, decided.length),
    yesToNo: share(yes.filter((s) => s.label === 'no').length, yes.length),
  };
}

/** Kinds as tested: negations and counts apart by their label. */
const kindOf = ({ kind, label }: Pair): string => (/^(negation|count)$/.test(kind) ? `${kind}, ${label}` : kind);

const percent = (x: number | null): string => (x === null ? '-' : `${(100 * x).toFixed(1)} %`);

/** One line a kind, as a Markdown table. */
export function table(name: string, scored: readonly Scored[]): string {
  const kinds = [...new Set(scored.map((s) => kindOf(s.pair)))];
  const rows = [
    ['all', scored] as const,
    ...kinds.map((k) => [k, scored.filter((s) => kindOf(s.pair) === k)] as const),
  ];
  const line = ([kind, list]: readonly [string, readonly Scored[]]): string => {
    const f = figures(list);
    return `| ${kind} | ${f.pairs} | ${percent(f.coverage)} | ${percent(f.accuracyDecided)} | ${percent(f.yesToNo)} |`;
  };
  const body = (kinds.length === 1 ? rows.slice(0, 1) : rows).map(line);
  return [
    `\n| ${name} | pairs | decided | right among decided | YES pairs called NO |`,
    '|---|---|---|---|---|',
    ...body,
  ].join('\n');
}

/**
 * A judge that never sees the photo: naive Bayes over words, by folds. Returns the share right among its surest pairs,
 * as many as the pack decides, when it too may only say yes or no.
 */
export function textOnly(pairs: readonly Pair[], foldOf: (photo: string) => number, decided: number): number {
  const guesses: { label: Label; p: number; right: boolean }[] = [];
  const words = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];
  for (let fold = 0; fold < 5; fold++) {
    const counts = { yes: new Map<string, number>(), no: new Map<string, number>(), maybe: new Map<string, number>() };
    const totals = { yes: 0, no: 0, maybe: 0 };
    for (const pair of pairs) {
      if (foldOf(pair.photo) === fold) continue;
      totals[pair.label] += 1;
      for (const word of new Set(words(pair.statement))) {
        counts[pair.label].set(word, (counts[pair.label].get(word) ?? 0) + 1);
      }
    }
    for (const pair of pairs) {
      if (foldOf(pair.photo) !== fold) continue;
      const logs = (['yes', 'no', 'maybe'] as const).map((label) => {
        let sum = Math.log(totals[label]);
        for (const w of new Set(words(pair.statement))) {
          sum += Math.log(((counts[label].get(w) ?? 0) + 1) / (totals[label] + 3));
        }
        return sum;
      });
      const top = Math.max(...logs);
      const mass = logs.map((x) => Math.exp(x - top));
      const all = mass.reduce((a, b) => a + b, 0);
      const side = mass[0]! >= mass[1]! ? 'yes' : 'no';
      guesses.push({ label: side, p: Math.max(mass[0]!, mass[1]!) / all, right: side === pair.label });
    }
  }
  const surest = guesses.sort((a, b) => b.p - a.p).slice(0, decided);
  return surest.filter((g) => g.right).length / Math.max(1, surest.length);
}
