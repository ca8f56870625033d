import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { ViewSpec } from '../../../main/contract/seam.ts';
import { copyForViews, makeViews, regionOf, scaleForViews } from '../../../main/images/host/views.ts';

const view = fc.record({
  id: fc.constant('v'),
  width: fc.integer({ min: 8, max: 600 }),
  height: fc.integer({ min: 8, max: 600 }),
  fit: fc.constantFrom('fill' as const, 'cover' as const, 'contain' as const),
  crop: fc.double({ min: 0.3, max: 1, noNaN: true }),
});
const size = fc.record({ width: fc.integer({ min: 1, max: 5000 }), height: fc.integer({ min: 1, max: 5000 }) });
/** Left half red, right half blue. */
const halves = (width: number, height: number) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, i) => {
    const left = Math.floor(i / 3) % width < width / 2;
    return i % 3 === 0 ? (left ? 255 : 0) : i % 3 === 2 ? (left ? 0 : 255) : 0;
  }),
});
const pixel = (data: Uint8Array, width: number, x: number, y: number) => [
  ...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
];

describe('views', () => {
  it('show a part that lies within the photo and in its middle', () => {
    fc.assert(
      fc.property(size, view, (photo, spec) => {
        const { left, top, width, height } = regionOf(photo, spec);
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(1);
        expect(Math.abs(photo.width - width - 2 * left)).toBeLessThanOrEqual(1);
        expect(Math.abs(photo.height - height - 2 * top)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('are never cut from a copy that is too small, nor is that larger than the photo', () => {
    fc.assert(
      fc.property(size, fc.array(view, { minLength: 1, maxLength: 4 }), (photo, views) => {
        const scale = scaleForViews(photo, views);
        expect(scale).toBeGreaterThan(0);
        expect(scale).toBeLessThanOrEqual(1);
        for (const spec of views.filter(() => scale < 1)) {
          const region = regionOf(photo, spec);
          const needed = spec.fit === 'contain' ? Math.min : Math.max;
          const enlarged = needed(spec.width / (region.width * scale), spec.height / (region.height * scale));
          expect(enlarged).toBeLessThanOrEqual(1 + 1e-9 + (spec.fit === 'contain' ? 1 : 0));
        }
      }),
    );
  });

  it('are decoded at their own size where one shows the whole photo and nobody measures that', () => {
    fc.assert(
      fc.property(size, view, (photo, spec) => {
        const copy = copyForViews(photo, [spec], null);
        if (spec.fit === 'cover') expect(copy.kernel).toBe('lanczos3');
        else expect(copy.kernel).toBe('linear');
        if (spec.fit === 'fill') expect(copy).toMatchObject({ width: spec.width, height: spec.height });
        if (spec.fit === 'contain') {
          expect(copy.width).toBeLessThanOrEqual(spec.width);
          expect(copy.height).toBeLessThanOrEqual(spec.height);
          expect([copy.width === spec.width, copy.height === spec.height]).toContain(true);
        }
      }),
    );
  });

  it('share a copy of the shape of the photo where there are several, or it is measured', () => {
    const fill: ViewSpec = { id: 'a', width: 260, height: 260, fit: 'fill' };
    expect(copyForViews({ width: 1000, height: 500 }, [fill], 512)).toMatchObject({ width: 520, height: 260 });
    expect(copyForViews({ width: 1000, height: 500 }, [fill, fill], null)).toMatchObject({ width: 520, height: 260 });
    expect(copyForViews({ width: 2000, height: 2000 }, [fill], 512)).toMatchObject({ width: 512, height: 512 });
    expect(copyForViews({ width: 100, height: 50 }, [fill, fill], null)).toMatchObject({ width: 100, height: 50 });
  });

  it('fill, cover and contain as they say', async () => {
    const photo = halves(300, 100);
    const specs: ViewSpec[] = [
      { id: 'fill', width: 60, height: 60, fit: 'fill' },
      { id: 'cover', width: 60, height: 60, fit: 'cover', crop: 0.8 },
      { id: 'contain', width: 60, height: 60, fit: 'contain', pad: 9 },
    ];
    const [fill, cover, contain] = (await makeViews(sharp, photo, specs)) as [Uint8Array, Uint8Array, Uint8Array];
    for (const data of [fill, cover, contain]) expect(data.length).toBe(60 * 60 * 3);
    expect(pixel(fill, 60, 2, 30)).toEqual([255, 0, 0]);
    expect(pixel(fill, 60, 57, 30)).toEqual([0, 0, 255]);
    expect(pixel(cover, 60, 2, 2)).toEqual([255, 0, 0]);
    expect(pixel(cover, 60, 57, 57)).toEqual([0, 0, 255]);
    expect(pixel(contain, 60, 2, 19)).toEqual([255, 0, 0]);
    expect(pixel(contain, 60, 2, 20)).toEqual([9, 9, 9]);
    expect(pixel(contain, 60, 59, 59)).toEqual([9, 9, 9]);
  });

  it('are the photo itself where nothing is to be done', async () => {
    const photo = halves(64, 64);
    const [same] = await makeViews(sharp, photo, [{ id: 'a', width: 64, height: 64, fit: 'cover' }]);
    expect(same).toEqual(photo.data);
  });
});
