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
