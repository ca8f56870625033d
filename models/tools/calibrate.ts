/**
 * Measures the ranges of the classifier's activations that int8 needs and writes them to the `int8` section of the pack's fit.json.
 *   node models/tools/calibrate.ts PHOTO_DIR [COUNT]
 * For each activation: the range that loses least (mean squared error over a histogram) when rounded to 256 steps.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ort from 'onnxruntime-node';
import { type Graph, pruned } from './convert/graph.ts';
import { type PackGraph, packGraphs } from './convert/graphs.ts';
import { activationsOf, type Range } from './convert/int8.ts';
import { encodeOnnx } from './convert/onnx.ts';
import { CACHE, PACK } from './convert/pack.ts';
import { CLASSIFIER_SIZE, photoViews } from './photo-features.ts';

const BINS = 2048;
const STEPS = 255;

type Observation = { low: number; high: number; bins: Float64Array };

const probed = (graph: Graph, names: readonly string[]): Graph =>
  pruned({ ...graph, outputs: names.map((name) => ({ name, type: 'float32' })) });

function widen(seen: Map<string, Observation>, name: string, values: Float32Array): void {
  const range = seen.get(name) ?? { low: 0, high: 0, bins: new Float64Array(BINS) };
  for (const value of values) {
    if (value < range.low) range.low = value;
    if (value > range.high) range.high = value;
  }
  seen.set(name, range);
}

function count({ low, high, bins }: Observation, values: Float32Array): void {
  const scale = BINS / (high - low || 1);
  for (const value of values) {
    const bin = Math.min(BINS - 1, Math.floor((value - low) * scale));
    bins[bin] = (bins[bin] as number) + 1;
  }
}

/** Sum over the histogram of the squared error of rounding to STEPS steps within [low, high] and clipping outside. */
function loss({ low, high, bins }: Observation, [least, most]: Range): number {
  const width = (high - low) / BINS;
  const rounding = ((most - least) / STEPS) ** 2 / 12;
  let sum = 0;
  for (let i = 0; i < BINS; i++) {
    const value = low + (i + 0.5) * width;
    const outside = value < least ? least - value : Math.max(0, value - most);
    sum += (bins[i] as number) * (outside > 0 ? outside ** 2 : rounding);
  }
  return sum;
}

function bestRange(seen: Observation): Range {
  let best: Range = [seen.low, seen.high];
  let least = loss(seen, best);
  for (let cut = 0.98; cut > 0.2; cut -= 0.02) {
    for (const range of [
      [seen.low * cut, seen.high],
      [seen.low, seen.high * cut],
      [seen.low * cut, seen.high * cut],
    ] as const) {
      const lost = loss(seen, range);
      if (lost < least) [best, least] = [range, lost];
    }
  }
  const rounded = (value: number): number => Number(value.toPrecision(5));
  return [rounded(best[0]), rounded(best[1])];
}

async function rangesOf(
  { graph, heads }: PackGraph,
  pictures: () => AsyncIterable<Uint8Array>,
  size: number,
): Promise<Record<string, Range>> {
  const names = activationsOf(graph, heads);
  const session = await ort.InferenceSession.create(encodeOnnx(probed(graph, names)), { intraOpNumThreads: 2 });
  const seen = new Map<string, Observation>();
  const each = async (use: (name: string, values: Float32Array) => void): Promise<void> => {
    for await (const pixels of pictures()) {
      const outputs = await session.run({ image: new ort.Tensor('uint8', pixels, [1, size, size, 3]) });
      for (const name of names) {
        const values = outputs[name]?.data;
        if (values instanceof Float32Array) use(name, values);
      }
    }
  };
  await each((name, values) => widen(seen, name, values));
  await each((name, values) => count(seen.get(name) as Observation, values));
  await session.release();
  return Object.fromEntries([...seen].map(([name, observation]) => [name, bestRange(observation)]));
}

const [folder, wanted] = process.argv.slice(2);
if (!folder) throw new Error('usage: calibrate.ts PHOTO_DIR [COUNT]');
const names = readdirSync(folder)
  .filter((name) => /\.jpe?g$/i.test(name))
  .sort();
const stride = Math.max(1, Math.floor(names.length / Number(wanted ?? 200)));
const chosen = names.filter((_, i) => i % stride === 0).slice(0, Number(wanted ?? 200));
const views = async function* (): AsyncIterable<Uint8Array> {
  for (const name of chosen) {
    const { whole, central } = await photoViews(join(folder, name));
    yield* [whole, central];
  }
};
const ranges = {
  photos: chosen.length,
  classifier: await rangesOf(packGraphs(CACHE).classifier, views, CLASSIFIER_SIZE),
};
const path = join(PACK, 'fit.json');
const fit = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
writeFileSync(path, `${JSON.stringify({ ...fit, int8: ranges }, null, 1)}\n`);
