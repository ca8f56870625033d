import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultPrescreen } from '../../../main/contract/photo.ts';
import type { ViewSpec } from '../../../main/contract/seam.ts';
import { detectFormat } from '../../../main/images/host/format.ts';
import { preparePhoto } from '../../../main/images/host/prepare.ts';
import { loadSharp } from '../../../main/images/host/sharp.ts';
import { height, quadrants, width, writeImageFiles } from '../../fixtures/images/make.ts';

const { sharp } = loadSharp();
const views: readonly ViewSpec[] = [{ id: 'v', width: 64, height: 64, fit: 'fill' }];
const config = { views, pixels: null, limits: { maxBytes: 1e8, maxPixels: 1e8 }, prescreen: defaultPrescreen };

let folder: string;
beforeAll(async () => {
  folder = await writeImageFiles(await mkdtemp(join(tmpdir(), 'vouch-images-')));
});
afterAll(() => rm(folder, { recursive: true }));

const prepare = async (name: string) => {
  const bytes = readFileSync(join(folder, name));
  return preparePhoto(sharp, bytes, await detectFormat(bytes), 0, config);
};

const at = (view: Uint8Array, x: number, y: number) => [...view.subarray((y * 64 + x) * 3, (y * 64 + x) * 3 + 3)];
const cornersOf = (view: Uint8Array, inset = 8) => ({
  topLeft: at(view, inset, inset),
  topRight: at(view, 63 - inset, inset),
  bottomLeft: at(view, inset, 63 - inset),
  bottomRight: at(view, 63 - inset, 63 - inset),
});
const farthest = (view: Uint8Array, inset?: number) =>
  Math.max(
    ...Object.entries(cornersOf(view, inset)).flatMap(([corner, colour]) =>
      quadrants[corner as keyof typeof quadrants].map((value, i) => Math.abs(value - colour[i]!)),
    ),
  );

describe('decoding what people have', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('row 1: EXIF orientation %i is upright', async (orientation) => {
    const { info, views: made } = await prepare(`orientation-${orientation}.jpg`);
    expect([info.width, info.height]).toEqual([width, height]);
    expect(farthest(made![0]!)).toBeLessThanOrEqual(6);
  });

  it.each([
    ['plain.jpg', 6],
    ['progressive.jpg', 8],
    ['wide-gamut.jpg', 8],
    ['plain.png', 0],
    ['palette.png', 3],
    ['plain.webp', 0],
    ['plain.tiff', 0],
    ['plain.avif', 12],
    ['plain.heic', 12],
    ['plain.bmp', 0],
    ['png-named.jpg', 0],
    ['a café (NFC).jpg'.normalize('NFC'), 6],
    ['a café (NFD).jpg'.normalize('NFD'), 6],
    ['写真 📷 été.jpg', 6],
  ])('rows 1, 4, 19: %s shows the picture', async (name, tolerance) => {
    const { info, views: made } = await prepare(name);
    expect(info).toMatchObject({ width, height, damaged: false, frames: 1 });
    expect(farthest(made![0]!)).toBeLessThanOrEqual(tolerance);
  });

  it('row 2: CMYK is converted through its profile, as near as paper comes', async () => {
    expect(farthest((await prepare('cmyk.jpg')).views![0]!)).toBeLessThanOrEqual(75);
  });

  it('row 2: colours that ink can show come back from CMYK nearly as they were, by the profile within', async () => {
    const muted = [
      [150, 80, 80],
      [90, 140, 95],
      [80, 90, 150],
      [170, 165, 100],
    ] as const;
    for (const [r, g, b] of muted) {
      const drawn = sharp({ create: { width: 64, height: 64, channels: 3, background: { r, g, b } } });
      const bytes = await drawn.withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer();
      expect((await sharp(bytes).metadata()).space).toBe('cmyk');
      const { views: made } = await preparePhoto(sharp, bytes, 'jpeg', 0, { ...config, prescreen: null });
      const seen = at(made![0]!, 32, 32);
      expect(Math.max(...[r, g, b].map((value, i) => Math.abs(value - seen[i]!)))).toBeLessThanOrEqual(20);
    }
  });

  it('row 3: 16 bits become the same 8 bits', async () => {
    expect(farthest((await prepare('sixteen-bit.png')).views![0]!)).toBe(0);
  });

  it('grey has three equal channels', async () => {
    for (const [r, g, b] of Object.values(cornersOf((await prepare('grey.jpg')).views![0]!))) {
      expect([g, b]).toEqual([r, r]);
    }
  });

  it('transparent parts show mid-grey', async () => {
    const { views: made } = await prepare('alpha.png');
    expect(at(made![0]!, 1, 1)).toEqual([128, 128, 128]);
    expect(farthest(made![0]!, 14)).toBeLessThanOrEqual(2);
  });

  it('row 5: a truncated JPEG is decoded as far as it goes, and marked', async () => {
    const { info, views: made } = await prepare('truncated.jpg');
    expect(info.damaged).toBe(true);
    expect(at(made![0]!, 8, 8).map((v, i) => Math.abs(v - quadrants.topLeft[i]!) < 8)).toEqual([true, true, true]);
  });

  it('row 6: a bomb is refused by its header', async () => {
    await expect(prepare('bomb.png')).rejects.toMatchObject({
      reason: { code: 'too_many_pixels', params: { width: 30_000, height: 30_000 } },
    });
  });

  it.each(['animated.gif', 'animated.webp'])('row 8: of %s the first frame is shown, and it says so', async (name) => {
    const { info, views: made } = await prepare(name);
    expect(info).toMatchObject({ width, height, frames: 2 });
    expect(farthest(made![0]!)).toBeLessThanOrEqual(4);
  });

  it('tells when and with what a photo was taken, and whether it says where', async () => {
    const { info } = await prepare('tagged.jpg');
    expect(info).toMatchObject({ takenAt: '2024-05-06T07:08:09+02:00', camera: 'Acme One', hasGps: true });
    expect((await prepare('plain.jpg')).info).toMatchObject({ takenAt: null, camera: null, hasGps: false });
  });

  it('makes no views of a flat photo, unless prescreen is off', async () => {
    const flat = await prepare('flat.png');
    expect(flat.info.prescreen).toMatchObject({ flat: true });
    expect(flat.views).toBeNull();
    const bytes = readFileSync(join(folder, 'flat.png'));
    const sent = await preparePhoto(sharp, bytes, 'png', 0, { ...config, prescreen: null });
    expect(sent.info.prescreen).toBeNull();
    expect(sent.views).toHaveLength(1);
  });
});
