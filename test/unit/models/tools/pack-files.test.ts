import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ort from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { packManifestSchema } from '../../../../main/contract/pack.ts';
import { PACK } from '../../../../models/tools/convert/pack.ts';

const picture = (size: number, count: number): ort.Tensor =>
  new ort.Tensor(
    'uint8',
    Uint8Array.from({ length: count * size * size * 3 }, (_, i) => (i * 31) % 251),
    [count, size, size, 3],
  );

async function run(name: string, size: number, count: number) {
  const session = await ort.InferenceSession.create(join(PACK, 'onnx', `${name}.onnx`), { intraOpNumThreads: 1 });
  const outputs = await session.run({ image: picture(size, count) });
  await session.release();
  return outputs;
}

describe('the embedded pack', () => {
  it('has a valid manifest that pins files that are there', () => {
    const manifest = packManifestSchema.parse(JSON.parse(readFileSync(join(PACK, 'vouch.json'), 'utf8')));
    expect(Object.keys(manifest.sha256)).toContain('onnx/classifier_int8.onnx');
    expect(Object.keys(manifest.sha256).filter((path) => !existsSync(join(PACK, path)))).toEqual([]);
  });

  it.each(['classifier', 'detector'])('holds the %s at three precisions, int8 the smallest', (name) => {
    const sizes = ['', '_fp16', '_int8'].map((suffix) => statSync(join(PACK, 'onnx', `${name}${suffix}.onnx`)).size);
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => b - a));
    expect(sizes[2]).toBeLessThan(0.65 * (sizes[1] as number));
  });

  it('names 1,000 classes in order of their WordNet ids, and 80 kinds of object', () => {
    const { classifier, detector } = JSON.parse(readFileSync(join(PACK, 'classes.json'), 'utf8'));
    const ids = classifier.map((entry: { wnid: string }) => entry.wnid);
    expect(ids).toHaveLength(1000);
    expect(ids).toEqual([...ids].sort());
    expect(detector).toHaveLength(80);
    expect(detector[0].name).toBe('person');
  });

  it.each(['classifier', 'classifier_fp16', 'classifier_int8'])(
    '%s gives probabilities for each picture',
    async (name) => {
      const { probabilities } = await run(name, 260, 2);
      expect(probabilities?.dims).toEqual([2, 1000]);
      const sum = Array.from(probabilities?.data as Float32Array).reduce((total, value) => total + value, 0);
      expect(sum).toBeCloseTo(2, 4);
    },
  );

  it.each(['detector', 'detector_fp16', 'detector_int8'])(
    '%s gives candidates, best first, and the best of each class',
    async (name) => {
      const { scores, classes, boxes, maxima } = await run(name, 512, 2);
      expect([scores, classes, boxes, maxima].map((tensor) => tensor?.dims)).toEqual([
        [2, 64],
        [2, 64],
        [2, 64, 4],
        [2, 80],
      ]);
      const firstPhoto = Array.from(scores?.data as Float32Array).slice(0, 64);
      expect(firstPhoto).toEqual([...firstPhoto].sort((a, b) => b - a));
      const best = Number(Array.from(classes?.data as BigInt64Array)[0]);
      expect(Array.from(maxima?.data as Float32Array)[best]).toBeCloseTo(firstPhoto[0] as number, 6);
      expect(Array.from(boxes?.data as Float32Array).every((value) => value >= 0 && value <= 1)).toBe(true);
    },
  );
});
