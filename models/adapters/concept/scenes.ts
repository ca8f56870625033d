/**
 * Scenes and settings (beach, snow, outdoors) that no class stands for: a linear head over the square roots of the class
 * probabilities and over the detector's scores, fitted on captioned photos.
 */
import { classAt, detectorClasses, type Evidence, keptClasses, maximumScore, probabilityAt } from './evidence.ts';

/** Weights of 1,000 ImageNet classes, then of 80 COCO classes. */
export type Scene = Readonly<{ bias: number; weights: Float32Array }>;
export type Scenes = ReadonlyMap<string, Scene>;

const classes = 1000;
/** Detector scores below this are noise. */
const leastScore = 0.12;

/** Calls `use` with each input of a head that is not zero, and its value. */
export function readSceneInputs(evidence: Evidence, use: (index: number, value: number) => void): void {
  for (let i = 0; i < keptClasses; i++) use(classAt(evidence, i), Math.sqrt(probabilityAt(evidence, i)));
  for (let i = 0; i < detectorClasses; i++) {
    const score = maximumScore(evidence, i);
    if (score > leastScore) use(classes + i, score);
  }
}

/** Log-odds that the photo shows the scene. */
export function sceneScore({ bias, weights }: Scene, evidence: Evidence): number {
  let sum = bias;
  for (let i = 0; i < keptClasses; i++) sum += weights[classAt(evidence, i)]! * Math.sqrt(probabilityAt(evidence, i));
  for (let i = 0; i < detectorClasses; i++) {
    const score = maximumScore(evidence, i);
    if (score > leastScore) sum += weights[classes + i]! * score;
  }
  return sum;
}

/** Reads heads as fit.json keeps them: for each name a bias and the weights that are not zero, by input index. */
export const openScenes = (
  stored: Readonly<Record<string, Readonly<{ bias: number; weights: Readonly<Record<string, number>> }>>>,
): Scenes =>
  new Map(
    Object.entries(stored).map(([name, { bias, weights }]) => {
      const dense = new Float32Array(classes + detectorClasses);
      for (const [index, weight] of Object.entries(weights)) dense[Number(index)] = weight;
      return [name, { bias, weights: dense }];
    }),
  );
