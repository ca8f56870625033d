/** Reliability of p(yes): a diagram in bins of equal mass, and the expected calibration error. Pure. */
import type { ReliabilityBin } from '../contract/review.ts';

export type ScoredTruth = Readonly<{ p: number; yes: boolean; weight: number }>;

const mostBins = 10;
/** Fewer in a bin say little. */
const leastInBin = 5;

/**
 * Bins by rising p with as many cases each, and the mean gap between predicted and observed by weight (Nguyen and
 * O'Connor 2015, as `eval` measures it). null without cases.
 */
export const reliabilityOf = (
  cases: readonly ScoredTruth[],
): Readonly<{ bins: readonly ReliabilityBin[]; ece: number }> | null => {
  if (cases.length === 0) return null;
  const sorted = cases.toSorted((a, b) => a.p - b.p);
  const count = Math.max(1, Math.min(mostBins, Math.floor(sorted.length / leastInBin)));
  const binned = Array.from({ length: count }, (_, bin) => {
    const from = Math.round((bin * sorted.length) / count);
    const members = sorted.slice(from, Math.round(((bin + 1) * sorted.length) / count));
    const weight = members.reduce((sum, member) => sum + member.weight, 0);
    const mean = (value: (member: ScoredTruth) => number) =>
      members.reduce((sum, member) => sum + member.weight * value(member), 0) / weight;
    return { weight, predicted: mean(({ p }) => p), observed: mean(({ yes }) => Number(yes)), size: members.length };
  });
  const whole = binned.reduce((sum, { weight }) => sum + weight, 0);
  return {
    bins: binned.map(({ predicted, observed, size }) => ({ predicted, observed, size })),
    ece: binned.reduce((sum, bin) => sum + (bin.weight / whole) * Math.abs(bin.predicted - bin.observed), 0),
  };
};
