import { describe, expect, it } from 'vitest';
import { loadSharp } from '../../../main/images/host/sharp.ts';
import { height, width } from '../../fixtures/images/make.ts';
import {
  animatedAvif,
  cutWebp,
  jpeg2000Heic,
  manyChannelTiff,
  plainHeic,
  profiledHeic,
  rawFiles,
  runLengthBmp,
  tiffSaying,
} from '../../fixtures/images/odd.ts';
import { farthest, prepared, side } from '../../fixtures/images/seen.ts';

const { sharp } = loadSharp();
const raws = await rawFiles();

describe('row 4: formats that a prebuilt libvips does not read', () => {
  it.each(Object.keys(raws))('row 4: of %s the embedded preview is judged, upright', async (name) => {
    const { info, views } = await prepared(sharp, raws[name]!);
    expect(info).toMatchObject({ width, height, damaged: false, frames: 1, camera: 'Acme Raw' });
    expect(farthest(views![0]!)).toBeLessThanOrEqual(6);
  });

  it("row 4: a CR3's own directories say when it was taken, and that they say where", async () => {
    const { info } = await prepared(sharp, raws['acme.cr3']!);
    expect(info).toMatchObject({ takenAt: '2024-05-06T07:08:09', hasGps: true });
  });

  it('row 4: a raw file without a preview is unsupported, in words', async () => {
    const bare = raws['acme.dng']!.subarray(0, 200);
    await expect(prepared(sharp, bare)).rejects.toMatchObject({
      reason: { code: 'unsupported_format', params: { format: 'dng without a preview' } },
    });
  });

  it.each([4, 8] as const)('row 4: BMP in runs of %i bits shows the picture', async (bits) => {
    const bytes = runLengthBmp(bits);
    const { info, views } = await prepared(sharp, bytes);
    expect(info).toMatchObject({ width, height, damaged: false });
    expect(farthest(views![0]!)).toBe(0);
    const cut = await prepared(sharp, bytes.subarray(0, bytes.length - 400));
    expect(cut.info.damaged).toBe(true);
  });

  it('row 4: an AVIF sequence shows its still picture', async () => {
    const { info, views } = await prepared(sharp, await animatedAvif());
    expect(info).toMatchObject({ width, height });
    expect(farthest(views![0]!)).toBeLessThanOrEqual(12);
  });

  it('row 4: HEIC is converted to sRGB by the profile that it carries', async () => {
    const plain = (await prepared(sharp, plainHeic())).views![0]!;
    const { info, views } = await prepared(sharp, await profiledHeic());
    expect(info).toMatchObject({ width, height });
    // The same numbers mean a redder red in Display P3: what was 220, 40, 40 there lies outside sRGB.
    const red = (view: Uint8Array) => [...view.subarray((8 * 64 + 8) * 3, (8 * 64 + 8) * 3 + 3)];
    expect(red(views![0]!)[0]!).toBeGreaterThan(red(plain)[0]! + 8);
  });

  it('row 4: an unknown codec is named', async () => {
    await expect(prepared(sharp, jpeg2000Heic())).rejects.toMatchObject({
      reason: { code: 'unsupported_format', params: { format: 'heif with JPEG 2000 coding' } },
    });
  });

  it.each([
    ['with JPEG 2000 coding', 0x103, 34_712],
    ['with coding 9999', 0x103, 9999],
    ['with LZMA coding', 0x103, 34_925],
    ['with YCbCr samples', 0x106, 6],
  ])('row 4: a TIFF %s is unsupported, and never judged by an empty picture', async (how, tag, value) => {
    await expect(prepared(sharp, await tiffSaying(tag, value))).rejects.toMatchObject({
      reason: { code: 'unsupported_format', params: { format: `tiff ${how}` } },
    });
  });

  it('row 5: of a WebP that was cut off the upper part is shown, and it counts as damaged', async () => {
    const whole = (await prepared(sharp, await cutWebp(1))).views![0]!;
    const { info, views } = await prepared(sharp, await cutWebp(0.6));
    expect(info.damaged).toBe(true);
    const upper = Array.from({ length: side * 10 * 3 }, (_, i) => Math.abs(views![0]![i]! - whole[i]!));
    expect(Math.max(...upper)).toBe(0);
  });

  it('row 4: of a TIFF with more channels than colour and opacity the colour is shown', async () => {
    const { info, views } = await prepared(sharp, await manyChannelTiff());
    expect(info).toMatchObject({ width, height, damaged: false });
    expect(farthest(views![0]!)).toBeLessThanOrEqual(2);
  });

  it.each([
    ['jxl', Buffer.from([0xff, 0x0a, 0xfa, 0x7f, 0x01, 0x90, 0x08, 0x06, 0x01, 0, 0, 0])],
    ['psd', Buffer.concat([Buffer.from('8BPS\0\x01\0\0\0\0\0\0\0\x03', 'latin1'), Buffer.alloc(64)])],
    ['ico', Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0]), Buffer.alloc(64)])],
    ['svg', Buffer.from('\ufeff<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ])('row 4: %s is unsupported, by name', async (format, bytes) => {
    await expect(prepared(sharp, bytes)).rejects.toMatchObject({
      reason: { code: 'unsupported_format', params: { format } },
    });
  });
});
