/**
 * The evidence of one photo as one small blob, and cheap reads from it.
 *
 * Bytes, little endian: 0 version | 1 number of peaks | 2-3 entropy of the classifier in nats / 8 x 65535 |
 * 4-5 divergence of its two views in [0, 1] x 65535 | 6-85 for each COCO class the best detector score as a logit |
 * 86-341 the classifier's 64 most probable classes: index u16, -ln p x 256 u16 | then 6 bytes a peak: class, score as a
 * logit, left, top, right, bottom / 255 of the detector's square.
 */

const evidenceVersion = 1;
export const detectorClasses = 80;
export const keptClasses = 64;
const keptPeaks = 48;
const leastPeak = 0.12;

const entropyAt = 2;
const divergenceAt = 4;
const maximaAt = 6;
const classesAt = maximaAt + detectorClasses;
const peaksAt = classesAt + 4 * keptClasses;
const peakBytes = 6;

/** Detector logits are kept between these bounds, in 255 steps. */
const logitBound = 8;

export type Evidence = Uint8Array;

/** What the two graphs say of one photo: probabilities of two views over 1,000 classes, class maxima, and peaks in descending order. */
export type Seen = Readonly<{
  whole: Float32Array;
  central: Float32Array;
  maxima: Float32Array;
  scores: Float32Array;
  classes: ArrayLike<number | bigint>;
  boxes: Float32Array;
}>;

const probabilityOf = Float32Array.from({ length: 4096 }, (_, i) => Math.exp(-i / 256));
const logitOf = Float32Array.from({ length: 256 }, (_, i) => (i / 255) * 2 * logitBound - logitBound);
const scoreOf = logitOf.map((x) => 1 / (1 + Math.exp(-x)));

const packLogit = (score: number): number => {
  const p = Math.min(1 - 1e-6, Math.max(1e-6, score));
  const x = Math.min(logitBound, Math.max(-logitBound, Math.log(p / (1 - p))));
  return Math.round(((x + logitBound) / (2 * logitBound)) * 255);
};
const packUnit = (x: number): number => Math.round(Math.min(1, Math.max(0, x)) * 65535);
const packByte = (x: number): number => Math.round(Math.min(1, Math.max(0, x)) * 255);

/** Jensen-Shannon divergence of two distributions, in bits, so in [0, 1]. */
function divergence(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const [p, q] = [a[i]!, b[i]!];
    const m = (p + q) / 2;
    if (p > 0) sum += p * Math.log2(p / m);
    if (q > 0) sum += q * Math.log2(q / m);
  }
  return sum / 2;
}

export function packEvidence(seen: Seen): Evidence {
  const mean = seen.whole.map((p, i) => (p + seen.central[i]!) / 2);
  const order = Array.from(mean.keys())
    .sort((a, b) => mean[b]! - mean[a]! || a - b)
    .slice(0, keptClasses);
  const entropy = -mean.reduce((sum, p) => (p > 0 ? sum + p * Math.log(p) : sum), 0);
  let peaks = 0;
  while (peaks < keptPeaks && peaks < seen.scores.length && seen.scores[peaks]! >= leastPeak) peaks += 1;

  const bytes = new Uint8Array(peaksAt + peaks * peakBytes);
  const view = new DataView(bytes.buffer);
  bytes[0] = evidenceVersion;
  bytes[1] = peaks;
  view.setUint16(entropyAt, packUnit(entropy / 8), true);
  view.setUint16(divergenceAt, packUnit(divergence(seen.whole, seen.central)), true);
  for (let i = 0; i < detectorClasses; i++) bytes[maximaAt + i] = packLogit(seen.maxima[i] ?? 0);
  order.forEach((index, i) => {
    view.setUint16(classesAt + 4 * i, index, true);
    view.setUint16(classesAt + 4 * i + 2, Math.min(4095, Math.round(-Math.log(mean[index]! || 1e-9) * 256)), true);
  });
  for (let i = 0; i < peaks; i++) {
    const at = peaksAt + i * peakBytes;
    bytes[at] = Number(seen.classes[i]);
    bytes[at + 1] = packLogit(seen.scores[i]!);
    for (let side = 0; side < 4; side++) bytes[at + 2 + side] = packByte(seen.boxes[4 * i + side]!);
  }
  return bytes;
}

/** Checks a stored blob; reads go straight to its bytes. Throws when it was written by another version. */
export function openEvidence(bytes: Uint8Array): Evidence {
  if (bytes[0] !== evidenceVersion || bytes.length !== peaksAt + (bytes[1] ?? 0) * peakBytes) {
    throw new Error('Evidence of an unknown version.');
  }
  return bytes;
}

const u16 = (e: Evidence, at: number): number => e[at]! | (e[at + 1]! << 8);

/** Entropy of the classifier's averaged probabilities, in nats. */
export const entropy = (e: Evidence): number => (u16(e, entropyAt) / 65535) * 8;
/** How much the classifier's two views disagree: Jensen-Shannon divergence in bits. */
export const disagreement = (e: Evidence): number => u16(e, divergenceAt) / 65535;
/** The i-th most probable class, and its probability. */
export const classAt = (e: Evidence, i: number): number => u16(e, classesAt + 4 * i);
export const probabilityAt = (e: Evidence, i: number): number => probabilityOf[u16(e, classesAt + 4 * i + 2)]!;
/** The best detector score of a COCO class, as a logit in [-8, 8] and as a score in (0, 1). */
export const maximumLogit = (e: Evidence, cocoClass: number): number => logitOf[e[maximaAt + cocoClass]!]!;
export const maximumScore = (e: Evidence, cocoClass: number): number => scoreOf[e[maximaAt + cocoClass]!]!;

export const peakCount = (e: Evidence): number => e[1]!;
export const peakClass = (e: Evidence, i: number): number => e[peaksAt + i * peakBytes]!;
export const peakScore = (e: Evidence, i: number): number => scoreOf[e[peaksAt + i * peakBytes + 1]!]!;
export const peakLogit = (e: Evidence, i: number): number => logitOf[e[peaksAt + i * peakBytes + 1]!]!;

/** How much of their union the boxes of two peaks share, in [0, 1]. */
export function overlap(e: Evidence, a: number, b: number): number {
  const [p, q] = [peaksAt + a * peakBytes + 2, peaksAt + b * peakBytes + 2];
  const width = Math.min(e[p + 2]!, e[q + 2]!) - Math.max(e[p]!, e[q]!);
  const height = Math.min(e[p + 3]!, e[q + 3]!) - Math.max(e[p + 1]!, e[q + 1]!);
  if (width <= 0 || height <= 0) return 0;
  const area = (at: number): number => (e[at + 2]! - e[at]!) * (e[at + 3]! - e[at + 1]!);
  return (width * height) / (area(p) + area(q) - width * height);
}
