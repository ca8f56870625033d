/** From what the engine gives for a photo to what the verdicts are made of. */
import type { Encoded, PutOff } from '../inference/core/engine-types.ts';
import type { PhotoToJudge } from '../verdicts/rescore-protocol.ts';

/** A photo that a model was asked about: what it saw, or that it was not judged in time. */
export type PhotoOutcome = Encoded | PutOff;

export const toJudge = (photo: PhotoOutcome): PhotoToJudge => {
  const { damaged, prescreen } = photo.info;
  const { blurred = false, small = false, deviation = 0 } = prescreen ?? {};
  const marks = { damaged, degraded: false, flagged: false, blurred, small };
  if ('limitMs' in photo) return { seen: { kind: 'timed_out', limitMs: photo.limitMs }, marks };
  const { evidence, judgements, degraded } = photo;
  if (evidence) return { seen: { kind: 'evidence', evidence }, marks: { ...marks, degraded } };
  if (judgements) return { seen: { kind: 'judgements', judgements }, marks: { ...marks, degraded } };
  return { seen: { kind: 'flat', deviation }, marks };
};
