/**
 * transformers.js by its own image-classification pipeline, as its documentation shows it. Started with one JSON
 * argument; prints one line of JSON: photos per second once warm, and the first class of each photo.
 */
import { dirname } from 'node:path';
import { env, type ImageClassificationOutput, pipeline } from '@xenova/transformers';

type Setup = Readonly<{ dir: string; photos: readonly string[]; batch: number }>;
const { dir, photos, batch }: Setup = JSON.parse(process.argv[2] ?? '{}');

env.allowRemoteModels = false;
env.localModelPath = dirname(dir);
const classify = await pipeline('image-classification', dir.slice(dirname(dir).length + 1), {
  dtype: 'fp32',
  device: 'cpu',
});

const run = async (paths: readonly string[]): Promise<readonly number[]> => {
  const results = (await classify([...paths], { top_k: 1 })) as ImageClassificationOutput[] | ImageClassificationOutput;
  return results.map((result) => Number((Array.isArray(result) ? result[0] : result)?.label));
};

await run(photos.slice(0, batch));
const tops: number[] = [];
const startedAt = performance.now();
for (let at = 0; at < photos.length; at += batch) tops.push(...(await run(photos.slice(at, at + batch))));
const seconds = (performance.now() - startedAt) / 1000;
console.log(JSON.stringify({ perSecond: photos.length / seconds, tops }));
