/**
 * The yardstick: sharp and ONNX Runtime by hand, nothing else. Decodes the next batch while the present one runs.
 * Started with one JSON argument; prints one line of JSON: photos per second once warm.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ort from 'onnxruntime-node';
import { type Decoder, loadSharp } from '../../main/images/host/sharp.ts';

type Setup = Readonly<{ packDir: string; photos: readonly string[]; batch: number; threads: number; suffix: string }> &
  // `viewsOnly`: decodes with that build of sharp and makes the views, but judges nothing.
  Readonly<{ viewsOnly?: Decoder }>;
const { packDir, photos, batch, threads, suffix, viewsOnly }: Setup = JSON.parse(process.argv[2] ?? '{}');

const classifierSide = 260;
const detectorSide = 512;
const { sharp } = loadSharp(viewsOnly ?? 'native');

const open = (name: string) =>
  ort.InferenceSession.create(join(packDir, 'onnx', `${name}${suffix}.onnx`), {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
const [classifier, detector] = await Promise.all([open('classifier'), open('detector')]);

/** A copy no larger than the detector needs, then the three views of it: squashed, central 87.5 %, padded. */
const viewsOf = async (path: string): Promise<readonly [Buffer, Buffer, Buffer]> => {
  const { data, info } = await sharp(readFileSync(path))
    .autoOrient()
    .resize(detectorSide, detectorSide, { fit: 'inside', kernel: 'linear', withoutEnlargement: true })
    .flatten({ background: '#808080' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const copy = () => sharp(data, { raw: { width, height, channels: 3 } });
  const side = Math.round(Math.min(width, height) * 0.875);
  const centre = { left: (width - side) >> 1, top: (height - side) >> 1, width: side, height: side };
  const scale = detectorSide / Math.max(width, height);
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  const fill = { fit: 'fill', kernel: 'linear' } as const;
  return Promise.all([
    copy().resize(classifierSide, classifierSide, fill).raw().toBuffer(),
    copy().extract(centre).resize(classifierSide, classifierSide, fill).raw().toBuffer(),
    copy()
      .resize(w, h, fill)
      .extend({ right: detectorSide - w, bottom: detectorSide - h })
      .raw()
      .toBuffer(),
  ]);
};

const tensor = (views: readonly Buffer[], side: number) =>
  new ort.Tensor('uint8', new Uint8Array(Buffer.concat(views)), [views.length, side, side, 3]);

const run = async (photosViews: readonly (readonly [Buffer, Buffer, Buffer])[]) => {
  if (viewsOnly) return;
  const pick = (i: 0 | 1 | 2) => photosViews.map((views) => views[i]);
  await classifier.run({ image: tensor(pick(0), classifierSide) });
  await classifier.run({ image: tensor(pick(1), classifierSide) });
  await detector.run({ image: tensor(pick(2), detectorSide) });
};

const prepare = (from: number) => Promise.all(photos.slice(from, from + batch).map(viewsOf));

await run(await prepare(0));
const startedAt = performance.now();
let next = prepare(0);
for (let at = 0; at < photos.length; at += batch) {
  const views = await next;
  next = prepare(at + batch);
  await run(views);
}
const seconds = (performance.now() - startedAt) / 1000;
console.log(JSON.stringify({ perSecond: photos.length / seconds, seconds }));
