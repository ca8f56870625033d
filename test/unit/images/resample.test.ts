import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Resampling, ViewSpec } from '../../../main/contract/seam.ts';
import { preparePhoto } from '../../../main/images/host/prepare.ts';
import { resample } from '../../../main/images/host/resample.ts';
import { copyForViews, makeViews } from '../../../main/images/host/views.ts';

type Golden = Readonly<{
  resized: readonly Readonly<{ filter: Resampling; from: [number, number]; to: [number, number]; values: string }>[];
  /** As a CLIP processor does it: the short side brought to `short`, then the centre cut out. */
  cropped: readonly Readonly<{ from: [number, number]; short: number; side: number; values: string }>[];
}>;
/** What Pillow 12.0 makes of `pattern`. */
const golden: Golden = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/images/pillow-12.json'), 'utf8'),
);

const pattern = (width: number, height: number) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, i) => {
    const [c, x, y] = [i % 3, Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    return (x * 37 + y * 91 + c * 53 + ((x * y) % 17) * 11) & 255;
  }),
});
const whole = ([width, height]: readonly [number, number]) => ({ left: 0, top: 0, width, height });
const hex = (data: Uint8Array) => Buffer.from(data).toString('hex');
/** One row of grey. */
const row = (...values: readonly number[]) => ({
  width: values.length,
  height: 1,
  data: Uint8Array.from(values.flatMap((value) => [value, value, value])),
});
const widened = (values: readonly number[], width: number, filter: Resampling) =>
  [...resample(row(...values), { width, height: 1 }, whole([width, 1]), filter)].filter((_, i) => i % 3 === 0);

describe('resampling', () => {
  it.each(golden.resized)(
    'is to the value that of Pillow: $filter from $from to $to',
    ({ filter, from, to, values }) => {
      const [width, height] = to;
      expect(hex(resample(pattern(...from), { width, height }, whole(to), filter))).toBe(values);
    },
  );

  it('weighs neighbours as computed by hand', () => {
    // Centres at .25, .75, 1.25 and 1.75 of two pixels.
    expect(widened([0, 255], 4, 'linear')).toEqual([0, 64, 191, 255]);
    expect(widened([0, 255], 4, 'nearest')).toEqual([0, 0, 255, 255]);
    // At .75: weights of a cubic with a = -.5 at distances -.25 and .75 are .8672 and .2266, made to sum to one.
    expect(widened([0, 255], 4, 'cubic')[1]).toBe(Math.round((255 * 0.2265625) / (0.8671875 + 0.2265625)));
    // Halved: a triangle of four pixels, 1, 3, 3, 1 eighths in the middle.
    expect(widened([0, 80, 160, 240, 160, 80, 0, 0], 4, 'linear')[1]).toBe((80 + 3 * 160 + 3 * 240 + 160) / 8);
  });

  it('keeps a picture that keeps its size, and one colour', () => {
    const filters = fc.constantFrom<Resampling>('nearest', 'linear', 'cubic', 'lanczos3');
    const side = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(filters, side, side, (filter, width, height) => {
        const photo = pattern(width, height);
        expect(resample(photo, photo, whole([width, height]), filter)).toEqual(photo.data);
      }),
    );
    fc.assert(
      fc.property(filters, side, side, side, fc.integer({ min: 0, max: 255 }), (filter, width, height, to, value) => {
        const grey = { width, height, data: new Uint8Array(width * height * 3).fill(value) };
        const out = resample(grey, { width: to, height: to }, whole([to, to]), filter);
        expect(out.every((one) => one === value)).toBe(true);
      }),
    );
  });

  it('of a window is that part of the whole', () => {
    const side = fc.integer({ min: 3, max: 30 });
    const filters = fc.constantFrom<Resampling>('nearest', 'linear', 'cubic', 'lanczos3');
    fc.assert(
      fc.property(filters, side, side, side, side, fc.nat(), fc.nat(), (filter, w, h, tw, th, x, y) => {
        const [left, top] = [x % (tw - 1), y % (th - 1)];
        const window = { left, top, width: tw - left, height: th - top };
        const to = { width: tw, height: th };
        const all = resample(pattern(w, h), to, whole([tw, th]), filter);
        const part = resample(pattern(w, h), to, window, filter);
        for (let i = 0; i < window.height; i += 1) {
          const from = ((top + i) * tw + left) * 3;
          expect(part.slice(i * window.width * 3, (i + 1) * window.width * 3)).toEqual(
            all.slice(from, from + window.width * 3),
          );
        }
      }),
    );
  });
});

describe('views', () => {
  const spec = (more: Partial<ViewSpec>): ViewSpec => ({ id: 'v', width: 12, height: 12, fit: 'fill', ...more });

  it('of a photo are made by the filter that they ask for, linear unless they do', async () => {
    const photo = pattern(90, 70);
    const bySharp = (kernel: Resampling) =>
      sharp(photo.data, { raw: { width: 90, height: 70, channels: 3 } })
        .resize(12, 12, { fit: 'fill', kernel })
        .raw()
        .toBuffer();
    const filters: readonly Resampling[] = ['nearest', 'linear', 'cubic', 'lanczos3'];
    const views = await makeViews(sharp, photo, [spec({}), ...filters.map((filter) => spec({ filter }))]);
    const [usual, ...others] = views.map(hex);
    expect(others).toEqual((await Promise.all(filters.map(bySharp))).map(hex));
    expect(usual).toBe(others[1]);
    expect(new Set(others).size).toBe(4);
    const [only] = await makeViews(sharp, photo, [spec({ filter: 'cubic', fullSize: true })]);
    expect(others).not.toContain(hex(only!));
  });

  it('have the photo decoded at full size where one of them asks for it, whatever else is wanted', () => {
    const photo = { width: 4000, height: 3000 };
    const whole4000 = { width: 4000, height: 3000 };
    expect(copyForViews(photo, [spec({ fullSize: true })], null)).toMatchObject(whole4000);
    expect(copyForViews(photo, [spec({}), spec({ fullSize: true })], 512)).toMatchObject(whole4000);
    expect(copyForViews(photo, [spec({ filter: 'cubic' })], null)).toEqual({ width: 12, height: 12, kernel: 'cubic' });
    expect(copyForViews(photo, [spec({ filter: 'cubic' }), spec({})], null).width).toBeLessThan(4000);
  });

  it.each(golden.cropped)(
    'at full size are those of a CLIP processor: $from, short side $short, cut to $side',
    async (crop) => {
      const { from, short, side, values } = crop;
      const view = spec({
        width: side,
        height: side,
        fit: 'cover',
        crop: side / short,
        filter: 'cubic',
        fullSize: true,
      });
      const [made] = await makeViews(sharp, pattern(...from), [view]);
      expect(hex(made!)).toBe(values);
    },
  );

  it('at full size are made of every pixel of a JPEG that would else be shrunk while it is decoded', async () => {
    const { data, ...size } = pattern(900, 600);
    const jpeg = await sharp(data, { raw: { ...size, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer();
    const view = spec({ filter: 'cubic', fullSize: true });
    const wanted = { views: [view], prescreen: null, limits: { maxBytes: 2 ** 24, maxPixels: 10 ** 7 } };
    const { views } = await preparePhoto(sharp, jpeg, 'jpeg', 0, wanted);
    const full = { ...size, data: new Uint8Array(await sharp(jpeg).raw().toBuffer()) };
    expect(hex(views![0]!)).toBe(hex(resample(full, { width: 12, height: 12 }, whole([12, 12]), 'cubic')));
  });

  it('at full size are padded where they contain the photo', async () => {
    const [made] = await makeViews(sharp, pattern(24, 12), [spec({ fit: 'contain', pad: 9, fullSize: true })]);
    expect([...made!.subarray(6 * 12 * 3)]).toEqual(new Array(6 * 12 * 3).fill(9));
    const shrunk = resample(pattern(24, 12), { width: 12, height: 6 }, whole([12, 6]), 'linear');
    expect([...made!.subarray(0, 6 * 12 * 3)]).toEqual([...shrunk]);
  });
});
