/** Whether the detector's boxes bear out a number. */
import { type Evidence, overlap, peakClass, peakCount, peakScore } from './evidence.ts';
import type { Count } from './quantities.ts';

/** Sure boxes, and boxes that may be there, of some COCO classes. */
export type Tally = Readonly<{ sure: number; possible: number }>;

export type CountCuts = Readonly<{ sure: number; possible: number }>;

/** Two boxes that share more than this are of one thing: the detector's peaks are not thinned out. */
const sameThing = 0.6;

export function tally(evidence: Evidence, detections: readonly number[], cuts: CountCuts): Tally {
  const kept: number[] = [];
  let sure = 0;
  const peaks = peakCount(evidence);
  for (let i = 0; i < peaks; i++) {
    const score = peakScore(evidence, i);
    if (score < cuts.possible) break;
    if (!detections.includes(peakClass(evidence, i))) continue;
    if (kept.some((other) => overlap(evidence, i, other) > sameThing)) continue;
    kept.push(i);
    if (score >= cuts.sure) sure += 1;
  }
  return { sure, possible: kept.length };
}

/** yes and no: whether the boxes settle the count; open where they leave it open. */
export type CountVerdict = 'yes' | 'no' | 'open';

/** So many faint boxes more than a count allows deny it, where one thing at least is sure. */
const faintTooMany = 3;

/** A detector misses things and doubles them, so a count is denied only from two boxes away. */
export function judgeCount({ sure, possible }: Tally, { least, most, exact, vague }: Count): CountVerdict {
  const highest = exact ? least : most;
  if (highest !== undefined && (sure > highest || (sure >= 1 && possible - highest >= faintTooMany))) return 'no';
  if (exact && sure >= 1 && least - possible >= 2) return 'no';
  if (vague) return sure >= least ? 'yes' : 'open';
  if (highest !== undefined) return sure >= least && possible <= highest ? 'yes' : 'open';
  return sure === least && possible <= least + 1 ? 'yes' : 'open';
}
