import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { defaultPrescreen } from '../../../main/contract/photo.ts';
import type { Pixels } from '../../../main/images/host/pixels.ts';
import { greyDeviation, laplacianVariance, screen } from '../../../main/images/host/prescreen.ts';

const noise = (width: number, height: number, range: number): Pixels => {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return { data: Uint8Array.from({ length: width * height * 3 }, () => 128 + (next() - 0.5) * range), width, height };
};

const grids = fc.tuple(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 3, max: 9 })).chain(([width, height]) =>
  fc.record({
    width: fc.constant(width),
    height: fc.constant(height),
    grey: fc.uint8Array({ minLength: width * height, maxLength: width * height }),
  }),
);

describe('prescreen', () => {
  it('measures sharpness as the variance of the Laplacian', () => {
    fc.assert(
      fc.property(grids, ({ grey, width, height }) => {
        const at = (x: number, y: number) => grey[y * width + x]!;
        const values: number[] = [];
        for (let y = 1; y < height - 1; y++) {
          for (let x = 1; x < width - 1; x++) {
            values.push(at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y));
          }
        }
        const mean = values.reduce((a, b) => a + b, 0) / values.length;
        const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length;
        expect(laplacianVariance(grey, width, height)).toBeCloseTo(variance, 5);
      }),
    );
    expect(laplacianVariance(new Uint8Array([1, 2]), 2, 1)).toBe(0);
  });

  it('measures deviation from 0 to 127.5', () => {
    expect(greyDeviation(new Uint8Array(100).fill(77))).toBe(0);
    expect(greyDeviation(Uint8Array.from({ length: 100 }, (_, i) => (i % 2) * 255))).toBeCloseTo(127.5);
  });

  it('tells flat, blurred and small photos from others', async () => {
    const see = async (pixels: Pixels, shortSide = pixels.height) =>
      (await screen(sharp, pixels, shortSide, defaultPrescreen)).prescreen;
    expect(await see(noise(200, 100, 200))).toMatchObject({ flat: false, blurred: false, small: false });
    expect(await see(noise(200, 100, 2))).toMatchObject({ flat: true });
    expect(await see(noise(200, 60, 200))).toMatchObject({ small: true });
    const wave = (_: unknown, i: number) => 128 + 100 * Math.sin((Math.floor(i / 3) % 200) / 20);
    const soft = { data: Uint8Array.from({ length: 200 * 100 * 3 }, wave), width: 200, height: 100 };
    expect(await see(soft)).toMatchObject({ flat: false, blurred: true });
  });

  it('measures large photos at one scale', async () => {
    const small = noise(400, 300, 200);
    const large = await sharp(small.data, { raw: { width: 400, height: 300, channels: 3 } })
      .resize(1600, 1200, { kernel: 'nearest' })
      .raw()
      .toBuffer();
    const shrunk = await sharp(large, { raw: { width: 1600, height: 1200, channels: 3 } })
      .resize(512, 384, { fit: 'fill', kernel: 'linear' })
      .raw()
      .toBuffer();
    const direct = (await screen(sharp, { data: large, width: 1600, height: 1200 }, 1200, defaultPrescreen)).prescreen;
    const before = (await screen(sharp, { data: shrunk, width: 512, height: 384 }, 1200, defaultPrescreen)).prescreen;
    expect(direct.sharpness / before.sharpness).toBeCloseTo(1, 1);
    expect(direct.deviation).toBeCloseTo(before.deviation, 0);
  });
});
