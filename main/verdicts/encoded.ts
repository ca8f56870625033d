/** From what the engine gives for a photo to what the verdicts are made of. */
import type { Encoded } from '../inference/engine-types.ts';
import type { PhotoToJudge } from './rescore-protocol.ts';

export const toJudge = (photo: Encoded): PhotoToJudge => {
  const { info, evidence, judgements } = photo;
  const { blurred = false, small = false, deviation = 0 } = info.prescreen ?? {};
  const marks = { damaged: info.damaged, degraded: false, flagged: false, blurred, small };
  if (evidence) return { seen: { kind: 'evidence', evidence }, marks };
  if (judgements) return { seen: { kind: 'judgements', judgements }, marks };
  return { seen: { kind: 'flat', deviation }, marks };
};
