/** From an audit's answers to a calibration and to risk control. Pure. */
import type { RiskPlan } from '../contract/review.ts';
import type { AuditedPair } from './audited-pair.ts';
import { type Calibration, type Calibrations, calibrate, fitCalibration } from './calibration.ts';
import { applyCaps, decidableSide } from './policy.ts';
import { type AuditedDecision, planRisk } from './risk.ts';

/**
 * The third of the photos that calibrations are fitted to. Risk control tests on the others: a test on pairs to which
 * the scores were fitted would promise too much.
 */
const isForFitting = ({ photo }: AuditedPair): boolean => Math.imul(photo, 0x9e3779b1) >>> 0 < 0x100000000 / 3;

const calibrationOf = (
  { statement }: Pick<AuditedPair, 'statement'>,
  calibrations: Calibrations | null,
): Calibration | undefined => calibrations?.statements[statement] ?? calibrations?.pack;

const fitCalibrations = (audited: readonly AuditedPair[]): Calibrations | null => {
  const cases = audited
    .filter((pair) => isForFitting(pair) && pair.truth !== 'maybe')
    .map(({ statement, p, truth, drawnWith }) => ({ statement, p, yes: truth === 'yes', weight: 1 / drawnWith }));
  const pack = fitCalibration(cases);
  if (!pack) return null;
  const own = [...Map.groupBy(cases, ({ statement }) => statement)].flatMap(([statement, members]) => {
    const fitted = fitCalibration(members);
    return fitted ? [[String(statement), fitted] as const] : [];
  });
  return { pack, statements: Object.fromEntries(own) };
};

/** Pairs of statements with thresholds of their own are not risk control's to decide. */
const decisionsOf = (audited: readonly AuditedPair[], calibrations: Calibrations | null): readonly AuditedDecision[] =>
  audited
    .filter((pair) => !pair.ownThresholds && !(calibrations && isForFitting(pair)))
    .map((pair) => {
      const side = decidableSide(pair, calibrationOf(pair, calibrations));
      return { score: side?.confidence ?? null, wrong: side?.lean !== pair.truth, weight: 1 / pair.drawnWith };
    });

/** With a calibration where that leaves enough reviews to test on, else without: the answers must not choose. */
export const planPolicy = (
  audited: readonly AuditedPair[],
  target: number,
): Readonly<{ plan: RiskPlan; calibrations: Calibrations | null }> => {
  const calibrations = fitCalibrations(audited);
  const plan = calibrations && planRisk(decisionsOf(audited, calibrations), target);
  if (plan?.missing === 0) return { plan, calibrations };
  return { plan: planRisk(decisionsOf(audited, null), target), calibrations: null };
};

/** p(yes) as it is shown, of audited pairs that are yes or no and that no calibration was fitted to. */
export const scoredTruths = (audited: readonly AuditedPair[], calibrations: Calibrations | null) =>
  audited
    .filter((pair) => pair.truth !== 'maybe' && !(calibrations && isForFitting(pair)))
    .map((pair) => ({
      p: applyCaps(calibrate(pair.p, calibrationOf(pair, calibrations)), pair.caps).yes,
      yes: pair.truth === 'yes',
      weight: 1 / pair.drawnWith,
    }));
