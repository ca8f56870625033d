/** The small files of the pack: its manifest and what describes its graphs to other programs. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { DETECTOR_SIZE } from './centernet.ts';
import { efficientNetLiteSize } from './efficientnet-lite.ts';
import { CLASSIFIER } from './graphs.ts';
import { PACK } from './pack.ts';
import { SOURCES, sha256 } from './sources.ts';

const MIB = 2 ** 20;

const json = (value: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`);

const rows = (file: string): string[][] =>
  readFileSync(join(import.meta.dirname, '..', file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));

/** `crane%1:05:00::` is called crane. */
const nameOf = (senseKey: string): string => senseKey.replace(/%.*$/, '').replaceAll('_', ' ');

function classes() {
  return {
    classifier: rows('wordnet-imagenet.tsv').map(([index, wnid, sense]) => ({
      index: Number(index),
      wnid,
      name: nameOf(sense as string),
    })),
    detector: rows('wordnet-coco.tsv').map(([index, name]) => ({ index: Number(index), name })),
  };
}

const classifierSize = efficientNetLiteSize(CLASSIFIER);
const image = (size: number) => ({ name: 'image', type: 'uint8', shape: ['N', size, size, 3] });

const config = {
  model_type: 'concept',
  graphs: {
    classifier: {
      architecture: `EfficientNet-${CLASSIFIER}`,
      source: `${SOURCES.classifier.name}@${SOURCES.classifier.version}`,
      input: image(classifierSize),
      outputs: { probabilities: 'float32 [N, 1000], sums to 1; index: classes.json' },
    },
    detector: {
      architecture: 'MobileNetV3-CenterNet',
      source: `${SOURCES.detector.name}@${SOURCES.detector.version}`,
      input: image(DETECTOR_SIZE),
      outputs: {
        scores: 'float32 [N, 64], 0 to 1, best first',
        classes: 'int64 [N, 64]; index: classes.json',
        boxes: 'float32 [N, 64, 4], left, top, right, bottom in 0 to 1 of the padded picture',
        maxima: 'float32 [N, 80], best score of each class',
      },
    },
  },
};

const preprocessor = {
  do_convert_rgb: true,
  do_normalize: false,
  do_rescale: false,
  views: {
    whole: { graph: 'classifier', width: classifierSize, height: classifierSize, fit: 'fill' },
    central: { graph: 'classifier', width: classifierSize, height: classifierSize, fit: 'cover', crop: 0.875 },
    padded: { graph: 'detector', width: DETECTOR_SIZE, height: DETECTOR_SIZE, fit: 'contain', pad: 0 },
  },
};

export function describingFiles(): ReadonlyMap<string, Uint8Array> {
  return new Map([
    ['classes.json', new TextEncoder().encode(`${JSON.stringify(classes()).replaceAll('{"index"', '\n{"index"')}\n`)],
    ['config.json', json(config)],
    ['preprocessor_config.json', json(preprocessor)],
  ]);
}

/** Writes vouch.json with the hash of every other file that lies in the pack now. */
export function writeManifest(): void {
  const paths = readdirSync(PACK, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'vouch.json')
    .map((entry) => relative(PACK, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  const manifest = {
    id: 'concept-en',
    version: '1.0.0',
    licence: 'Apache-2.0 AND MIT AND WordNet-3.0',
    adapter: 'concept',
    languages: ['en'],
    labels: ['yes', 'no', 'maybe'],
    promptTemplate: '{statement}',
    maxTokens: 32,
    // Measured: peak memory of both graphs over batches of 1 to 8, highest of the three precisions.
    inputs: [{ size: DETECTOR_SIZE, maxBatch: 8, baseBytes: 80 * MIB, bytesPerSample: 156 * MIB }],
    thresholds: { yes: 0.8, no: 0.72 },
    precisions: ['fp32', 'fp16', 'int8'],
    sha256: Object.fromEntries(paths.map((path) => [path, sha256(readFileSync(join(PACK, path)))])),
  };
  writeFileSync(join(PACK, 'vouch.json'), json(manifest));
}
