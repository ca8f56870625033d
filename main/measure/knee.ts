/** Where more in a batch no longer pays. Pure. */

/** This near to the best throughput is as good as the best. */
const nearBest = 0.95;

export type BatchFigures = Readonly<{ size: number; perSecond: number; p95: number; failures: number }>;

/**
 * The smallest size within 5 % of the best throughput whose p95 holds the SLA; null where none does. `slaMs`: longest
 * time a photo may take, bulk queue wait excluded.
 */
export const kneeOf = (rows: readonly BatchFigures[], slaMs: number): number | null => {
  const best = Math.max(0, ...rows.map(({ perSecond }) => perSecond));
  const fitting = rows.filter(
    ({ perSecond, p95, failures }) => perSecond > 0 && perSecond >= nearBest * best && p95 <= slaMs && failures === 0,
  );
  return fitting.length === 0 ? null : Math.min(...fitting.map(({ size }) => size));
};
