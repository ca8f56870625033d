/** What an adapter may say, for property tests of the policy. */
import fc from 'fast-check';
import type { Probabilities } from '../../../main/contract/labels.ts';
import type { Cap, VerdictReason } from '../../../main/contract/reason.ts';
import type { Judgement } from '../../../main/contract/seam.ts';
import type { Marks } from '../../../main/policy/policy.ts';

const unit = fc.double({ min: 0, max: 1, noNaN: true });

export const probabilities: fc.Arbitrary<Probabilities> = fc.tuple(unit, unit).map(([a, b]) => {
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  return { yes: low, no: high - low, maybe: 1 - high };
});

export const cap: fc.Arbitrary<Cap> = fc.record({
  side: fc.constantFrom('yes' as const, 'no' as const),
  limit: unit,
  reason: fc.constant({ code: 'small_object' as const, params: { concept: 'spoon' } }),
});

const reasons: readonly VerdictReason[] = [
  { code: 'seen', params: { concept: 'dog', evidence: [] } },
  { code: 'not_seen', params: { concept: 'dog', evidence: [] } },
  { code: 'unsure', params: { concept: 'dog', evidence: [] } },
  { code: 'model_score', params: {} },
];

export const judgement: fc.Arbitrary<Judgement> = fc.record({
  p: probabilities,
  caps: fc.array(cap, { maxLength: 3 }),
  reason: fc.constantFrom(...reasons),
});

export const threshold = fc.double({ min: 0.5, max: 1, noNaN: true });
export const thresholds = fc.record({ yes: threshold, no: threshold });
export const calibration = fc.record({
  slope: fc.double({ min: 0.05, max: 8, noNaN: true }),
  offset: fc.double({ min: -4, max: 4, noNaN: true }),
});
export const marks: fc.Arbitrary<Marks> = fc.record({
  damaged: fc.boolean(),
  degraded: fc.boolean(),
  flagged: fc.boolean(),
  blurred: fc.boolean(),
  small: fc.boolean(),
});
