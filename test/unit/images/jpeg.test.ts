import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { jpegHeader } from '../../../main/images/host/jpeg.ts';

const made = (width: number, height: number, progressive: boolean, model: string | null): Promise<Buffer> => {
  const plain = sharp({ create: { width, height, channels: 3, background: '#336699' } });
  return (model === null ? plain : plain.withExif({ IFD0: { Model: model } })).jpeg({ progressive }).toBuffer();
};
const side = fc.integer({ min: 1, max: 700 });

describe('the header of a JPEG', () => {
  it('tells what sharp reads of it', async () => {
    const model = fc.option(fc.stringMatching(/^[a-z]{1,20}$/), { nil: null });
    await fc.assert(
      fc.asyncProperty(side, side, fc.boolean(), model, async (width, height, progressive, camera) => {
        const bytes = await made(width, height, progressive, camera);
        const { exif } = await sharp(bytes).metadata();
        const header = jpegHeader(bytes);
        expect(header).toMatchObject({ width, height });
        expect(header?.exif && Buffer.from(header.exif)).toEqual(exif);
      }),
      { numRuns: 40 },
    );
  });

  it('is none where the file was cut off before its size, or tells a size of nothing', async () => {
    const bytes = await made(30, 20, false, null);
    const frame = bytes.indexOf(Uint8Array.of(0xff, 0xc0));
    expect(jpegHeader(bytes.subarray(0, frame + 6))).toBeNull();
    const flat = Buffer.from(bytes);
    flat.writeUInt16BE(0, frame + 5);
    expect(jpegHeader(flat)).toBeNull();
  });

  it('can be asked for of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const header = jpegHeader(Uint8Array.of(0xff, 0xd8, ...bytes));
        if (header) expect(Math.min(header.width, header.height)).toBeGreaterThan(0);
      }),
    );
  });
});
