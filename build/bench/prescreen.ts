/** What the checks before the model cost on photos of 12 megapixels. */
import { readFileSync } from 'node:fs';
import { defaultPrescreen } from '../../main/contract/photo.ts';
import { preparePhoto } from '../../main/images/host/prepare.ts';
import { loadSharp } from '../../main/images/host/sharp.ts';
import { percentile } from '../../main/measure/percentile.ts';
import { type Bench, median } from './bench.ts';
import { makePhotos } from './photos.ts';

const photos = 20;
const warmUp = 3;
const config = {
  views: [{ id: 'view', width: 224, height: 224, fit: 'fill' as const }],
  pixels: null,
  limits: { maxBytes: 1e8, maxPixels: 1e8 },
  prescreen: defaultPrescreen,
};

export const prescreen: Bench = async (say) => {
  const { sharp } = loadSharp();
  const source = await makePhotos(photos, 4000, 3000);
  const times: number[] = [];
  try {
    for (const path of [...source.paths.slice(0, warmUp), ...source.paths]) {
      times.push((await preparePhoto(sharp, readFileSync(path), 'jpeg', 0, config)).info.prescreen!.ms);
    }
  } finally {
    source.remove();
  }
  const measured = times.slice(warmUp).sort((a, b) => a - b);
  say(`${photos} photos of 4000 x 3000: prescreen ${median(measured).toFixed(1)} ms in the median`);
  return { ms: { prescreenP95: percentile(measured, 95), prescreenMedian: median(measured) } };
};
