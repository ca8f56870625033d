/** How likely a concept is in a photo: a logistic of a few features of the evidence, one set of weights a kind of concept. */
import type { Concept } from './concepts.ts';
import {
  classAt,
  type Evidence,
  entropy,
  keptClasses,
  maximumLogit,
  overlap,
  peakClass,
  peakCount,
  peakLogit,
  probabilityAt,
} from './evidence.ts';
import type { Scene, Scenes } from './scenes.ts';
import type { WordNet } from './wordnet.ts';

/** exact: one COCO class; broad: several; classes: ImageNet only; place, person, unseen: as the concept's kind. */
export const probeKinds = ['exact', 'broad', 'classes', 'place', 'person', 'unseen'] as const;
export type ProbeKind = (typeof probeKinds)[number];

/**
 * Names of the features, in order; weights in fit.json are keyed by them. mass: log-odds of the probability of the
 * concept's classes; strong: its part above .12; classCount: log of their number, scaled; kin: log probability of like
 * classes; detected, undetected: the detector's best logit above and below .12; above, below: the same for what the
 * concept is a kind of; doubt: the classifier's entropy; covered: 1 if the detector knows it; rival: by how much another
 * class wins in the same box; others: the best logit of other classes; contradicted: how far the
 * classes fall below .12, times the best class's probability; large: 1 for a kind that fills much of a photo;
 * largeUndetected: undetected for such.
 */
export const featureNames = [
  'bias',
  'mass',
  'strong',
  'classCount',
  'kin',
  'detected',
  'undetected',
  'above',
  'below',
  'doubt',
  'covered',
  'rival',
  'others',
  'contradicted',
  'large',
  'largeUndetected',
] as const;
export type Weights = Readonly<Record<(typeof featureNames)[number], number>>;

/** A concept made ready: for each class its share in the mass and its likeness, and the detector classes to look at. */
export type Probe = Readonly<{
  concept: Concept;
  kind: ProbeKind;
  /** mass, likeness of class 0, mass, likeness of class 1, ... */
  shares: Float32Array;
  classCount: number;
  detections: readonly number[];
  above: readonly number[];
  scene: Scene | undefined;
}>;

const classCount = 1000;
const least = 1e-5;
const logit = (p: number): number => Math.log(Math.max(least, p) / Math.max(least, 1 - p));

/** Likeness of each class to a concept: Lin's measure to the fourth power, with intrinsic information content. */
function likeness(rows: readonly number[], wordnet: WordNet): Float32Array {
  const result = new Float32Array(classCount);
  for (const row of rows) {
    const own = wordnet.information(row);
    for (const above of wordnet.ancestors(row)) {
      const shared = wordnet.information(above);
      for (const index of wordnet.classifierUnder(above)) {
        const other = wordnet.information(wordnet.classifierRow[index]!);
        const lin = own + other > 0 ? Math.min(1, (2 * shared) / (own + other)) : 0;
        result[index] = Math.max(result[index]!, lin ** 4);
      }
    }
  }
  return result;
}

function probeKind(concept: Concept): ProbeKind {
  if (concept.kind === 'person' || concept.kind === 'persons') return 'person';
  if (concept.kind === 'place') return 'place';
  if (concept.exact) return 'exact';
  if (concept.detections.length > 0) return 'broad';
  return concept.classes.length > 0 ? 'classes' : 'unseen';
}

export function prepareProbe(concept: Concept, wordnet: WordNet, scenes: Scenes): Probe {
  const like = likeness(concept.rows, wordnet);
  const own = new Set(concept.classes);
  const shares = new Float32Array(2 * classCount);
  for (let i = 0; i < classCount; i++) {
    if (own.has(i)) shares[2 * i] = 1;
    else shares[2 * i + 1] = like[i]!;
  }
  return {
    concept,
    kind: probeKind(concept),
    shares,
    classCount: concept.classes.length,
    detections: concept.detections,
    above: concept.detectionsAbove,
    scene: concept.scene === undefined ? undefined : scenes.get(concept.scene),
  };
}

/** Where a detector score, or a probability, turns from a hint into nothing: logit of .12. */
const silence = -2;

/** How much two peaks' boxes must share for them to be about one thing. */
const sameBox = 0.5;

/** Best logit of the peaks of other classes: anywhere, and less that of the concept's own best peak where they share its box. */
function readRivals(detections: readonly number[], evidence: Evidence, out: Float64Array): void {
  const peaks = peakCount(evidence);
  let own = -1;
  for (let i = 0; i < peaks && own < 0; i++) if (detections.includes(peakClass(evidence, i))) own = i;
  let rival = 0;
  let others = silence;
  for (let i = 0; i < peaks; i++) {
    if (detections.includes(peakClass(evidence, i))) continue;
    const x = peakLogit(evidence, i);
    if (others === silence) others = Math.max(silence, x);
    if (own < 0 || i > own) break;
    const lead = x - peakLogit(evidence, own);
    if (lead > rival && overlap(evidence, i, own) > sameBox) rival = lead;
  }
  out[11] = rival;
  out[12] = others - silence;
}

/** Writes the features of a probe in a photo into `out`, in the order of featureNames. */
export function readFeatures(probe: Probe, evidence: Evidence, out: Float64Array): void {
  const { shares, detections, above } = probe;
  let mass = 0;
  let kin = 0;
  for (let i = 0; i < keptClasses; i++) {
    const at = 2 * classAt(evidence, i);
    const p = probabilityAt(evidence, i);
    mass += shares[at]! * p;
    kin += shares[at + 1]! * p;
  }
  let best = -8;
  for (const index of detections) best = Math.max(best, maximumLogit(evidence, index));
  let parent = -8;
  for (const index of above) parent = Math.max(parent, maximumLogit(evidence, index));
  const covered = detections.length > 0;
  const odds = probe.classCount > 0 ? logit(Math.min(1, mass)) : 0;
  out[0] = 1;
  out[1] = odds;
  out[2] = probe.classCount > 0 ? Math.max(0, odds - silence) : 0;
  out[3] = Math.log1p(probe.classCount) / Math.log(1001);
  out[4] = probe.kind === 'person' ? 0 : Math.log(kin + 1e-3);
  out[5] = covered ? Math.max(0, best - silence) : 0;
  out[6] = covered ? Math.min(0, best - silence) : 0;
  out[7] = above.length > 0 ? Math.max(0, parent - silence) : 0;
  out[8] = above.length > 0 ? Math.min(0, parent - silence) : 0;
  out[9] = entropy(evidence);
  out[10] = covered ? 1 : 0;
  if (covered) {
    readRivals(detections, evidence, out);
  } else {
    out[11] = 0;
    out[12] = 0;
  }
  out[13] = probe.classCount > 0 ? probabilityAt(evidence, 0) * Math.min(0, odds - silence) : 0;
  out[14] = probe.concept.large ? 1 : 0;
  out[15] = probe.concept.large ? out[6]! : 0;
}

export const emptyFeatures = (): Float64Array => new Float64Array(featureNames.length);

/** Weights as an array in the order of featureNames. */
export const weightVector = (weights: Partial<Weights>): Float64Array =>
  Float64Array.from(featureNames, (name) => weights[name] ?? 0);

export function linear(weights: Float64Array, features: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]! * features[i]!;
  return sum;
}
export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
