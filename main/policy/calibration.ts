/**
 * Platt scaling of a pack's scores to the user's own photos (J. Platt, "Probabilistic outputs for support vector
 * machines", 1999). It moves mass between yes and no and leaves maybe alone, so a pack's honesty about what it
 * cannot see survives calibration.
 */
import type { Probabilities } from '../contract/labels.ts';

/** share' = sigmoid(slope * logit(share) + offset), where share = yes / (yes + no); slope is above 0. */
export type Calibration = Readonly<{ slope: number; offset: number }>;

const epsilon = 1e-6;

/** A pack without a calibration of its own (undefined) keeps its p. */
export const calibrate = (p: Probabilities, calibration: Calibration | undefined): Probabilities => {
  const decided = p.yes + p.no;
  if (calibration === undefined || decided <= 0) return p;
  const share = Math.min(1 - epsilon, Math.max(epsilon, p.yes / decided));
  const logit = Math.log(share / (1 - share));
  const yes = decided / (1 + Math.exp(-(calibration.slope * logit + calibration.offset)));
  return { yes, no: decided - yes, maybe: p.maybe };
};

/** A pack's calibration, and those of statements with enough audit reviews of their own, by the statement's id. */
export type Calibrations = Readonly<{ pack: Calibration; statements: Readonly<Record<string, Calibration>> }>;

/** p is raw; `weight` is one over the probability with which the pair was drawn. */
export type CalibrationCase = Readonly<{ p: Probabilities; yes: boolean; weight: number }>;

/** Fewer of either answer fit noise. */
const leastOfEach = 10;
const leastCases = 60;
const newtonSteps = 50;
/** Pulls weakly to the pack's own p, so that separable cases do not run away. */
const ridge = 1e-2;

const logitOf = (p: Probabilities): number => {
  const share = Math.min(1 - epsilon, Math.max(epsilon, p.yes / (p.yes + p.no)));
  return Math.log(share / (1 - share));
};

/**
 * Fits slope and offset by Newton's method with Platt's smoothed targets. null with fewer than sixty cases, fewer than
 * ten of either answer, or where the slope would not be positive: then the scores say nothing to rely on.
 */
export const fitCalibration = (cases: readonly CalibrationCase[]): Calibration | null => {
  const usable = cases.filter(({ p }) => p.yes + p.no > epsilon);
  const yes = usable.filter((item) => item.yes).length;
  if (usable.length < leastCases || Math.min(yes, usable.length - yes) < leastOfEach) return null;
  const meanWeight = usable.reduce((sum, { weight }) => sum + weight, 0) / usable.length;
  const rows = usable.map((item) => ({
    x: logitOf(item.p),
    target: item.yes ? (yes + 1) / (yes + 2) : 1 / (usable.length - yes + 2),
    weight: item.weight / meanWeight,
  }));
  let [slope, offset] = [1, 0];
  for (let step = 0; step < newtonSteps; step += 1) {
    let [ga, gb, haa, hab, hbb] = [ridge * (slope - 1), ridge * offset, ridge, 0, ridge];
    for (const { x, target, weight } of rows) {
      const p = 1 / (1 + Math.exp(-(slope * x + offset)));
      const error = weight * (p - target);
      const curvature = weight * Math.max(1e-9, p * (1 - p));
      ga += error * x;
      gb += error;
      haa += curvature * x * x;
      hab += curvature * x;
      hbb += curvature;
    }
    const determinant = haa * hbb - hab * hab;
    // A full step may overshoot where the curve is flat; bounded steps still converge.
    const bound = (value: number) => Math.max(-1, Math.min(1, value));
    const [da, db] = [bound((hbb * ga - hab * gb) / determinant), bound((haa * gb - hab * ga) / determinant)];
    slope -= da;
    offset -= db;
    if (Math.abs(da) + Math.abs(db) < 1e-9) break;
  }
  return slope > 0 && Number.isFinite(slope) && Number.isFinite(offset) ? { slope, offset } : null;
};
