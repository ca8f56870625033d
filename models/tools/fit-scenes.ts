/** Fits scene heads on captioned photos: a scene is there when two captions name it, not there when none does. */
import type { Evidence } from '../adapters/concept/evidence.ts';
import { readSceneInputs, type Scene } from '../adapters/concept/scenes.ts';

/** The words that name each scene in a caption. Settings are told by what stands in them. */
export const sceneWords: Readonly<Record<string, readonly string[]>> = {
  beach: ['beach', 'shore', 'seashore', 'sand'],
  ocean: ['ocean', 'sea', 'wave', 'surf'],
  water: ['water', 'pool', 'ocean', 'lake', 'river', 'sea', 'wave', 'pond', 'creek', 'stream'],
  snow: ['snow', 'snowy', 'ski', 'snowboard'],
  street: ['street', 'road', 'sidewalk', 'crosswalk'],
  city: ['city', 'street', 'urban'],
  field: ['field', 'grass', 'grassy', 'meadow', 'pasture'],
  grass: ['grass', 'grassy', 'lawn', 'yard'],
  mountain: ['mountain', 'hill', 'cliff', 'peak'],
  pool: ['pool'],
  indoors: ['room', 'kitchen', 'couch', 'bed', 'indoors', 'inside', 'restaurant', 'floor', 'carpet', 'sofa'],
  outdoors: [
    ...['grass', 'field', 'beach', 'snow', 'street', 'park', 'mountain', 'water', 'ocean', 'outside', 'sidewalk'],
    ...['forest', 'road', 'lake', 'river', 'yard', 'hill', 'sand', 'rock', 'tree', 'dirt'],
  ],
};
/** Words of the opposite setting: a photo they are said of is no example of the other. */
const opposites: Readonly<Record<string, string>> = { indoors: 'outdoors', outdoors: 'indoors' };

export type Captioned = Readonly<{ evidence: Evidence; captions: readonly ReadonlySet<string>[] }>;

const inputs = 1080;
const rounds = 200;
const ridge = 4;

type Sparse = Readonly<{ index: readonly number[]; value: readonly number[] }>;
const sparse = (evidence: Evidence): Sparse => {
  const index: number[] = [];
  const value: number[] = [];
  readSceneInputs(evidence, (i, v) => {
    index.push(i);
    value.push(v);
  });
  return { index, value };
};

const named = (photo: Captioned, words: readonly string[]): number =>
  photo.captions.filter((caption) => words.some((word) => caption.has(word))).length;

/** Ridge logistic by Adam on balanced labels; deterministic. */
export function fitScene(name: string, photos: readonly Captioned[]): Scene {
  const words = sceneWords[name] ?? [];
  const against = sceneWords[opposites[name] ?? ''] ?? [];
  const rows: { x: Sparse; y: number }[] = [];
  for (const photo of photos) {
    const times = named(photo, words);
    if (times >= 2 && named(photo, against) === 0) rows.push({ x: sparse(photo.evidence), y: 1 });
    else if (times === 0 && (against.length === 0 || named(photo, against) >= 1))
      rows.push({ x: sparse(photo.evidence), y: 0 });
  }
  const positive = rows.reduce((sum, row) => sum + row.y, 0);
  const weightOf = (y: number): number => rows.length / 2 / (y === 1 ? positive : rows.length - positive);
  const size = inputs + 1;
  const beta = new Float64Array(size);
  const mean = new Float64Array(size);
  const square = new Float64Array(size);
  for (let round = 1; round <= rounds; round++) {
    const gradient = Float64Array.from(beta, (b, j) => (j < inputs ? ridge * b : 0));
    for (const { x, y } of rows) {
      let z = beta[inputs]!;
      for (let k = 0; k < x.index.length; k++) z += beta[x.index[k]!]! * x.value[k]!;
      const slope = weightOf(y) * (1 / (1 + Math.exp(-z)) - y);
      gradient[inputs]! += slope;
      for (let k = 0; k < x.index.length; k++) gradient[x.index[k]!]! += slope * x.value[k]!;
    }
    const rate = 0.1 * Math.min(1, (rounds - round) / 100 + 0.02);
    for (let j = 0; j < size; j++) {
      mean[j] = 0.9 * mean[j]! + 0.1 * gradient[j]!;
      square[j] = 0.99 * square[j]! + 0.01 * gradient[j]! ** 2;
      const step = mean[j]! / (1 - 0.9 ** round) / (Math.sqrt(square[j]! / (1 - 0.99 ** round)) + 1e-6);
      beta[j]! -= rate * step;
    }
  }
  return { bias: beta[inputs]!, weights: Float32Array.from(beta.subarray(0, inputs)) };
}
