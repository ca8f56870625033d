/** Headers with odd fields that no pixel depends on, beside files whose pixels really are missing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodePhoto } from '../../../main/images/host/decode.ts';
import { detectFormat } from '../../../main/images/host/format.ts';
import { loadSharp } from '../../../main/images/host/sharp.ts';
import { type Tag, type TiffPage, writeTiff } from '../../fixtures/images/tiff.ts';

const { sharp } = loadSharp();
const raccoon = readFileSync(join(import.meta.dirname, '..', '..', '..', 'resources', 'samples', 'raccoon.jpg'));

const decode = async (bytes: Uint8Array) => {
  const whole = (size: Readonly<{ width: number; height: number }>) => ({ ...size, kernel: 'lanczos3' as const });
  return decodePhoto(sharp, bytes, await detectFormat(bytes), 1e8, whole);
};
const pixelsOf = (width: number) => sharp(raccoon).resize(width).raw().toBuffer({ resolveWithObject: true });

let page: TiffPage;
let small: TiffPage;
let jpeg: Buffer;
let progressive: Buffer;
beforeAll(async () => {
  const [large, reduced] = await Promise.all([pixelsOf(240), pixelsOf(60)]);
  page = { width: large.info.width, height: large.info.height, data: large.data };
  small = { width: reduced.info.width, height: reduced.info.height, data: reduced.data };
  jpeg = await sharp(raccoon).resize(240).jpeg({ quality: 77 }).toBuffer();
  progressive = await sharp(raccoon).resize(240).jpeg({ progressive: true }).toBuffer();
});

const text = (value: string) => Buffer.from(value, 'latin1');
const oddTags: Readonly<Record<string, readonly Tag[]>> = {
  'a model padded with zeros': [[272, 2, 16, text('Scan 9\0\0\0\0\0\0\0\0\0\0')]],
  'an artist without its closing zero': [[315, 2, 6, text('Nobody')]],
  'two strings where one may stand': [[316, 2, 10, text('here\0there')]],
  'an empty description': [[270, 2, 0, 0]],
  'a number where text is due': [[306, 4, 1, 20240102]],
  'a page number of one value': [[297, 3, 1, 3]],
  'resolutions of 0/0': [
    [282, 5, 1, Buffer.alloc(8)],
    [283, 5, 1, Buffer.alloc(8)],
  ],
  'text of a length that the file does not have': [[305, 2, 9_000_000, Buffer.from('a'.repeat(12))]],
  'a GPS directory outside the file': [[34853, 4, 1, 0x7fffffff]],
  'private tags of an unknown type': [[50999, 99, 4, Buffer.from('abcd')]],
};

describe('a TIFF whose tags only describe oddly', () => {
  describe.each([false, true])('BigTIFF: %s', (big) => {
    it.each(Object.entries(oddTags))('%s', async (_, tags) => {
      const found = await decode(writeTiff([{ ...page, tags }], big));
      expect(found).toMatchObject({ damaged: false, width: page.width, height: page.height });
      expect(Buffer.compare(found.pixels.data, page.data)).toBe(0);
    });

    it('tags in no order, and twice', async () => {
      const tags: readonly Tag[] = [
        [305, 2, 4, text('one\0')],
        [305, 2, 4, text('two\0')],
        [254, 4, 1, 0],
      ];
      const found = await decode(writeTiff([{ ...page, tags, unsorted: true }], big));
      expect(found.damaged).toBe(false);
      expect(Buffer.compare(found.pixels.data, page.data)).toBe(0);
    });

    it('its one strip without a length', async () => {
      const found = await decode(writeTiff([{ ...page, without: [279] }], big));
      expect(found.damaged).toBe(false);
      expect(Buffer.compare(found.pixels.data, page.data)).toBe(0);
    });
  });
});

describe('a TIFF of several pages', () => {
  const reduced = (tags: readonly Tag[]): TiffPage => ({ ...small, tags });
  it.each<readonly [string, readonly Tag[], boolean]>([
    ['marked as reduced', [[254, 4, 1, 1]], false],
    ['marked as reduced and of another kind too', [[254, 4, 1, 5]], false],
    ['marked in the old way', [[255, 3, 1, 2]], false],
    ['marked as reduced, in BigTIFF', [[254, 4, 1, 1]], true],
  ])('is judged by its first full page where the one before it is %s', async (_, tags, big) => {
    const found = await decode(writeTiff([reduced(tags), reduced(tags), page], big));
    expect([found.width, found.height, found.damaged]).toEqual([page.width, page.height, false]);
    expect(Buffer.compare(found.pixels.data, page.data)).toBe(0);
  });
  it('is judged by its first page where that is not reduced, or all are', async () => {
    expect((await decode(writeTiff([small, page]))).width).toBe(small.width);
    expect((await decode(writeTiff([reduced([[254, 4, 1, 1]])]))).width).toBe(small.width);
  });
  it('that begins with a reduced page and is odd besides', async () => {
    const odd: TiffPage = { ...page, tags: oddTags['a model padded with zeros']!, unsorted: true };
    const found = await decode(writeTiff([reduced([[254, 4, 1, 1]]), odd]));
    expect([found.width, found.damaged]).toEqual([page.width, false]);
  });
});

const scanHeader = (bytes: Buffer): number => {
  let at = 2;
  while (bytes[at + 1] !== 0xda) at += 2 + bytes.readUInt16BE(at + 2);
  return at + 5 + 2 * bytes[at + 4]!;
};
const withScanFields = (bytes: Buffer, fields: readonly [number, number, number]): Buffer => {
  const odd = Buffer.from(bytes);
  odd.set(fields, scanHeader(odd));
  return odd;
};
const withAdobe = (bytes: Buffer, transform: number): Buffer =>
  Buffer.concat([
    bytes.subarray(0, 2),
    Buffer.from([0xff, 0xee, 0, 14]),
    text('Adobe'),
    Buffer.from([0, 100, 0, 0, 0, 0, transform]),
    bytes.subarray(2),
  ]);

describe('a JPEG whose headers are odd', () => {
  it.each([
    [0, 0, 0],
    [0, 5, 0],
    [3, 63, 0],
    [0, 63, 0x21],
    [63, 0, 0x10],
  ] as const)('scan fields %i %i %i', async (...fields) => {
    const [plain, odd] = await Promise.all([decode(jpeg), decode(withScanFields(jpeg, fields))]);
    expect(odd.damaged).toBe(false);
    expect(Buffer.compare(odd.pixels.data, plain.pixels.data)).toBe(0);
  });
  it.each([3, 9, 255])('an Adobe transform of %i', async (transform) => {
    const [plain, odd] = await Promise.all([decode(jpeg), decode(withAdobe(jpeg, transform))]);
    expect(odd.damaged).toBe(false);
    expect(Buffer.compare(odd.pixels.data, plain.pixels.data)).toBe(0);
  });
});

describe('pixels that are missing are still told of', () => {
  it('behind an odd scan header', async () => {
    const odd = withScanFields(jpeg, [0, 0, 0]);
    expect((await decode(odd.subarray(0, odd.length * 0.6))).damaged).toBe(true);
    const hole = Buffer.concat([odd.subarray(0, odd.length * 0.5), odd.subarray(odd.length * 0.6)]);
    expect((await decode(hole)).damaged).toBe(true);
  });
  it('in a progressive JPEG, where the scan fields say what the scan holds', async () => {
    expect((await decode(progressive)).damaged).toBe(false);
    expect((await decode(progressive.subarray(0, progressive.length / 2))).damaged).toBe(true);
  });
  it('behind odd tags', async () => {
    const tags = oddTags['a model padded with zeros']!;
    const data = deflateSync(page.data);
    const deflated: TiffPage = { ...page, data, tags: [...tags, [259, 3, 1, 8]] };
    expect((await decode(writeTiff([deflated]))).damaged).toBe(false);
    data.fill(0xee, data.length >> 2, data.length >> 1);
    expect((await decode(writeTiff([deflated]))).damaged).toBe(true);
    const packed = await sharp(raccoon).resize(240).tiff({ compression: 'lzw' }).toBuffer();
    packed.fill(0xee, packed.length >> 2, packed.length >> 1);
    expect((await decode(packed)).damaged).toBe(true);
  });
});
