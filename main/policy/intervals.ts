/** Shares with their intervals. */
import type { Share } from '../contract/review.ts';

/** The 97.5 % point of the standard normal distribution. */
const z = 1.959963984540054;

/**
 * Wilson's 95 % score interval (E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
 * 1927). null for an empty denominator.
 */
export const wilson = (part: number, of: number): Share | null => {
  if (of === 0) return null;
  const value = part / of;
  const scale = 1 + (z * z) / of;
  const centre = (value + (z * z) / (2 * of)) / scale;
  const half = (z * Math.sqrt((value * (1 - value)) / of + (z * z) / (4 * of * of))) / scale;
  // At the ends rounding may cross the value itself.
  return {
    value,
    low: Math.min(value, Math.max(0, centre - half)),
    high: Math.max(value, Math.min(1, centre + half)),
    of,
  };
};

/**
 * The same for a weighted sample: its size counts as Kish's effective one, (sum w)^2 / sum w^2 (L. Kish, "Survey
 * Sampling", 1965).
 */
export const weightedShare = (items: readonly Readonly<{ holds: boolean; weight: number }>[]): Share | null => {
  let all = 0;
  let squares = 0;
  let part = 0;
  for (const { holds, weight } of items) {
    all += weight;
    squares += weight * weight;
    if (holds) part += weight;
  }
  if (all === 0) return null;
  const effective = (all * all) / squares;
  const share = wilson((part / all) * effective, effective);
  return share && { ...share, of: items.length };
};
