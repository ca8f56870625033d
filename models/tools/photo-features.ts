/**
 * What the two graphs of the concept pack say about photos, for fitting and for choosing int8 ranges.
 *   node models/tools/photo-features.ts ONNX_DIR PHOTO_DIR OUT [LIMIT]
 * writes OUT.json (photo names, layout) and OUT.f32: RECORD floats a photo, little-endian.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ort from 'onnxruntime-node';
import sharp from 'sharp';

export const CLASSIFIER_SIZE = 260;
export const DETECTOR_SIZE = 512;
const CENTRAL_SHARE = 0.875;
/** As the image host resizes. */
const kernel = 'linear';

/** Pictures of one photo, uint8 RGB. */
export type Views = Readonly<{ whole: Uint8Array; central: Uint8Array; padded: Uint8Array }>;

/** Offsets into a photo's record. Classes are whole numbers stored as floats. */
export const LAYOUT = {
  whole: [0, 1000],
  central: [1000, 2000],
  maxima: [2000, 2080],
  scores: [2080, 2144],
  classes: [2144, 2208],
  boxes: [2208, 2464],
} as const;
const RECORD = 2464;

/** The three views of the pack: whole photo squashed, central 87.5 % of the short side, whole photo padded right and bottom. */
export async function photoViews(path: string): Promise<Views> {
  const upright = await sharp(path)
    .rotate()
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = upright.info;
  const open = () => sharp(upright.data, { raw: { width, height, channels } }).toColourspace('srgb');
  const side = Math.max(1, Math.round(Math.min(width, height) * CENTRAL_SHARE));
  const area = { left: (width - side) >> 1, top: (height - side) >> 1, width: side, height: side };
  const [whole, central, padded] = await Promise.all([
    open().resize(CLASSIFIER_SIZE, CLASSIFIER_SIZE, { fit: 'fill', kernel }).raw().toBuffer(),
    open().extract(area).resize(CLASSIFIER_SIZE, CLASSIFIER_SIZE, { fit: 'fill', kernel }).raw().toBuffer(),
    open()
      .resize(DETECTOR_SIZE, DETECTOR_SIZE, { fit: 'contain', kernel, position: 'left top', background: '#000000' })
      .raw()
      .toBuffer(),
  ]);
  return { whole, central, padded };
}

export type Sessions = Readonly<{ classifier: ort.InferenceSession; detector: ort.InferenceSession }>;

export async function openSessions(folder: string, suffix = '', threads = 2): Promise<Sessions> {
  const options = { intraOpNumThreads: threads, extra: { session: { intra_op: { allow_spinning: '0' } } } };
  const open = (name: string) => ort.InferenceSession.create(join(folder, `${name}${suffix}.onnx`), options);
  return { classifier: await open('classifier'), detector: await open('detector') };
}

const image = (data: Uint8Array, count: number, size: number) => ({
  image: new ort.Tensor('uint8', data, [count, size, size, 3]),
});

/** The record of one photo, laid out as LAYOUT says. */
export async function photoFeatures({ classifier, detector }: Sessions, views: Views): Promise<Float32Array> {
  const pair = new Uint8Array(2 * views.whole.length);
  pair.set(views.whole);
  pair.set(views.central, views.whole.length);
  const classes = await classifier.run(image(pair, 2, CLASSIFIER_SIZE));
  const objects = await detector.run(image(views.padded, 1, DETECTOR_SIZE));
  const values = (tensor: ort.Tensor | undefined) => Float32Array.from(tensor?.data as ArrayLike<number>, Number);
  const record = new Float32Array(RECORD);
  record.set(values(classes.probabilities), LAYOUT.whole[0]);
  for (const name of ['maxima', 'scores', 'classes', 'boxes'] as const)
    record.set(values(objects[name]), LAYOUT[name][0]);
  return record;
}

async function main([folder, photos, out, limit]: readonly string[]): Promise<void> {
  if (!folder || !photos || !out) throw new Error('usage: photo-features.ts ONNX_DIR PHOTO_DIR OUT [LIMIT]');
  const sessions = await openSessions(folder);
  const names = readdirSync(photos)
    .filter((name) => /\.(jpe?g|png|webp)$/i.test(name))
    .sort()
    .slice(0, Number(limit ?? Number.POSITIVE_INFINITY));
  const records = new Float32Array(names.length * RECORD);
  for (const [i, name] of names.entries())
    records.set(await photoFeatures(sessions, await photoViews(join(photos, name))), i * RECORD);
  writeFileSync(`${out}.json`, JSON.stringify({ layout: LAYOUT, record: RECORD, photos: names }));
  writeFileSync(`${out}.f32`, records);
}

if (import.meta.main) await main(process.argv.slice(2));
