/** Whether the detector's boxes bear out a number. */
import { type Evidence, peakClass, peakCount, peakScore } from './evidence.ts';
import type { Count } from './noun-phrases.ts';

/** Sure boxes, and boxes that may be there, of some COCO classes. */
export type Tally = Readonly<{ sure: number; possible: number }>;

export type CountCuts = Readonly<{ sure: number; possible: number }>;

export function tally(evidence: Evidence, detections: readonly number[], cuts: CountCuts): Tally {
  let sure = 0;
  let possible = 0;
  const peaks = peakCount(evidence);
  for (let i = 0; i < peaks; i++) {
    const score = peakScore(evidence, i);
    if (score < cuts.possible) break;
    if (!detections.includes(peakClass(evidence, i))) continue;
    possible += 1;
    if (score >= cuts.sure) sure += 1;
  }
  return { sure, possible };
}

/** yes and no: whether the boxes settle the count; open where they leave it open. */
export type CountVerdict = 'yes' | 'no' | 'open';

/** A detector misses things and doubles them, so a count is denied only from two boxes away. */
export function judgeCount({ sure, possible }: Tally, { least, exact, vague }: Count): CountVerdict {
  if (exact && sure > least) return 'no';
  if (exact && sure >= 1 && least - possible >= 2) return 'no';
  if (vague) return sure >= least ? 'yes' : 'open';
  return sure === least && possible <= (exact ? least : least + 1) ? 'yes' : 'open';
}
