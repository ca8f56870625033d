/**
 * Risk control: the lowest threshold at which automatic decisions are wrong no more often than a person accepts, with
 * probability 1 - delta over the audit's draw. Learn-then-Test (Angelopoulos, Bates, Candès, Jordan and Lei, arXiv
 * 2110.01052): each threshold's hypothesis "more than `target` of the pairs decided at it are wrong" is tested by
 * fixed-sequence testing, from the surest pairs on, until the first that cannot be rejected. Pure.
 */
import jstat from 'jstat';
import type { RiskPlan } from '../contract/review.ts';
import { weightedShare } from './intervals.ts';

/** One audited pair. */
export type AuditedDecision = Readonly<{
  /** Confidence of the side that it leans to; null where that side can never be decided (capped, or it leans to maybe). */
  score: number | null;
  /** Deciding it that way would be wrong. */
  wrong: boolean;
  /** One over the probability with which it was drawn. */
  weight: number;
}>;

const delta = 0.1;
/** Below this many audit reviews nothing is tried, however high the accepted error. */
const leastReviews = 45;
/** The first threshold tested decides this share of what can be decided: fewer pairs could not carry a test. */
const firstShare = 0.3;
const steps = 60;
/** No side is decided that is less likely than all else together. */
const lowestThreshold = 0.5;

/** How many decisions without any error it takes to reject an error of `target`: (1 - target)^n <= delta. */
const leastDecisions = (target: number): number => Math.ceil(Math.log(delta) / Math.log(1 - target));

export const reviewsNeeded = (target: number): number => Math.max(leastReviews, leastDecisions(target));

/** P(Bin(n, p) <= k). */
const binomialCdf = (k: number, n: number, p: number): number => (k >= n ? 1 : jstat.jStat.binomial.cdf(k, n, p));

/**
 * The p-value of "the mean of n values in [0, 1] is above `target`", given their mean: Hoeffding-Bentkus (Bates,
 * Angelopoulos, Lei, Malik and Jordan, "Distribution-free, risk-controlling prediction sets", 2021).
 */
export const hoeffdingBentkus = (mean: number, n: number, target: number): number => {
  const a = Math.min(mean, target);
  const part = (x: number, y: number) => (x === 0 ? 0 : x * Math.log(x / y));
  const hoeffding = Math.exp(-n * (part(a, target) + part(1 - a, 1 - target)));
  const bentkus = Math.E * binomialCdf(Math.ceil(n * mean), n, target);
  return Math.min(1, hoeffding, bentkus);
};

/**
 * The p-value of "among pairs with at least this score more than `target` are wrong". Pairs drawn with equal chances
 * make an exact binomial test of the decided ones; of unequal ones, the weighted excess over the target is tested.
 */
const pValue = (audited: readonly AuditedDecision[], threshold: number, target: number): number => {
  const decided = audited.filter(({ score }) => score !== null && score >= threshold);
  const weights = audited.map(({ weight }) => weight);
  const heaviest = Math.max(...weights);
  if (heaviest <= Math.min(...weights) * (1 + 1e-9)) {
    return binomialCdf(decided.filter(({ wrong }) => wrong).length, decided.length, target);
  }
  const excess = decided.reduce((sum, { wrong, weight }) => sum + (weight / heaviest) * (Number(wrong) - target), 0);
  return hoeffdingBentkus(target + excess / audited.length, audited.length, target);
};

/**
 * Thresholds from the surest pairs on, by equal steps of how many they decide. They come from the scores alone, and the
 * tests hold whatever the scores are, so they may be chosen after looking at those.
 */
const candidates = (audited: readonly AuditedDecision[], target: number): readonly number[] => {
  const scores = audited.flatMap(({ score }) => (score !== null && score >= lowestThreshold ? [score] : []));
  scores.sort((a, b) => b - a);
  const first = Math.max(leastDecisions(target), Math.ceil(firstShare * scores.length));
  const sizes = Array.from({ length: steps }, (_, i) =>
    Math.round(first + ((scores.length - first) * i) / (steps - 1)),
  );
  return [...new Set(sizes.flatMap((size) => scores[size - 1] ?? []))];
};

/** The lowest threshold that keeps the target; null where none does. */
export const chooseThreshold = (audited: readonly AuditedDecision[], target: number): number | null => {
  if (audited.length < reviewsNeeded(target)) return null;
  let chosen: number | null = null;
  for (const threshold of candidates(audited, target)) {
    if (pValue(audited, threshold, target) > delta) break;
    chosen = threshold;
  }
  return chosen;
};

/** Why nothing keeps the target: what the first test looked at, and for which target the outcome would do. */
const whyUnkept = (audited: readonly AuditedDecision[], target: number): RiskPlan['unkept'] => {
  const [first = Number.POSITIVE_INFINITY] = candidates(audited, target);
  const surest = audited.filter(({ score }) => score !== null && score >= first);
  const larger = Array.from({ length: 50 }, (_, i) => (i + 1) / 100).filter((other) => other > target);
  return {
    surest: surest.length,
    wrong: surest.filter(({ wrong }) => wrong).length,
    least: larger.find((other) => chooseThreshold(audited, other) !== null) ?? null,
  };
};

/** What risk control would do: both sides share the threshold, since one error rate is promised for both. */
export const planRisk = (audited: readonly AuditedDecision[], target: number): RiskPlan => {
  const threshold = chooseThreshold(audited, target);
  const missing = Math.max(0, reviewsNeeded(target) - audited.length);
  const decides = ({ score }: AuditedDecision) => threshold !== null && score !== null && score >= threshold;
  const shareOf = (items: readonly AuditedDecision[], holds: (item: AuditedDecision) => boolean) =>
    weightedShare(items.map((item) => ({ holds: holds(item), weight: item.weight })));
  return {
    target,
    reviews: audited.length,
    missing,
    thresholds: threshold === null ? null : { yes: threshold, no: threshold },
    decided: threshold === null ? null : shareOf(audited, decides),
    error: threshold === null ? null : shareOf(audited.filter(decides), ({ wrong }) => wrong),
    unkept: threshold === null && missing === 0 ? whyUnkept(audited, target) : null,
  };
};
