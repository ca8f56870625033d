import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { preparePhoto } from '../../../main/images/prepare.ts';
import { loadSharp } from '../../../main/images/sharp.ts';

const installed = (): boolean => {
  try {
    createRequire(import.meta.url).resolve('@img/sharp-wasm32/sharp.node');
    return true;
  } catch {
    return false;
  }
};

/** Means of the red, green and blue of cat.jpg, as the native build decodes it. */
const nativeMeans = [147.5, 111.3, 86.6];

describe.skipIf(!installed())('row 27: the WebAssembly build of sharp', () => {
  it('takes the place of the native one and sees the same photo', async () => {
    const { sharp, decoder } = loadSharp('wasm');
    expect(decoder).toBe('wasm');
    const bytes = readFileSync(resolve(import.meta.dirname, '../../../resources/samples/cat.jpg'));
    const { info, views } = await preparePhoto(sharp, bytes, 'jpeg', 0, {
      views: [{ id: 'v', width: 64, height: 64, fit: 'fill' }],
      pixels: null,
      limits: { maxBytes: 1e8, maxPixels: 1e8 },
      prescreen: null,
    });
    expect(info).toMatchObject({ width: 451, height: 300, damaged: false });
    const means = [0, 1, 2].map((c) => views![0]!.filter((_, i) => i % 3 === c).reduce((a, b) => a + b, 0) / 4096);
    means.forEach((mean, c) => {
      expect(Math.abs(mean - nativeMeans[c]!)).toBeLessThan(1);
    });
  });
});
