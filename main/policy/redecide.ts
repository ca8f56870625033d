/** Decides a stored verdict again under another policy, from its raw p and caps. Pure. */
import type { Label, Probabilities } from '../contract/labels.ts';
import type { Cap, VerdictReason } from '../contract/reason.ts';
import type { Calibration } from './calibration.ts';
import { decide, type Marks, type Thresholds, undecided, type Verdict } from './policy.ts';

/** A verdict that was never more than that nothing was judged. */
export type NothingJudged = Readonly<{ p: null; reason: Parameters<typeof undecided>[0] }>;
type Judged = Readonly<{
  p: Probabilities;
  caps: readonly Cap[];
  label: Label;
  /** As it was given: the adapter's own reason, `unsure` in its place, or that of a cap. */
  reason: VerdictReason;
}>;
export type StoredDecision = Judged | NothingJudged;

/** What the adapter said, as far as what was stored tells: a verdict that was unsure had seen or missed its concept. */
const adapterReason = ({ p, caps, label, reason }: Judged): VerdictReason => {
  if (reason.code === 'unsure') return { code: p.yes >= p.no ? 'seen' : 'not_seen', params: reason.params };
  const isOfCap = label === 'maybe' && caps.some((cap) => cap.reason.code === reason.code);
  return isOfCap ? { code: 'model_score', params: {} } : reason;
};

/** The verdict under these thresholds and this calibration; its reason stays while its label does. */
export const redecide = (
  stored: StoredDecision,
  thresholds: Thresholds,
  calibration: Calibration | undefined,
  marks: Marks,
): Verdict => {
  if (stored.p === null) return undecided(stored.reason);
  const judgement = { p: stored.p, caps: stored.caps, reason: adapterReason(stored) };
  const verdict = decide(judgement, thresholds, calibration, marks);
  return verdict.label === stored.label ? { ...verdict, reason: stored.reason } : verdict;
};
