import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exifOrientation, isSideways, turnOf } from '../../../main/images/host/orientation.ts';
import { type Pixels, turned } from '../../../main/images/host/pixels.ts';

type Tag = Readonly<{ tag: number; value: number }>;
const tiff = (little: boolean, tags: readonly Tag[]): Uint8Array => {
  const view = new DataView(new ArrayBuffer(10 + tags.length * 12 + 4));
  view.setUint16(0, little ? 0x4949 : 0x4d4d);
  view.setUint16(2, 42, little);
  view.setUint32(4, 8, little);
  view.setUint16(8, tags.length, little);
  tags.forEach(({ tag, value }, i) => {
    const at = 10 + i * 12;
    view.setUint16(at, tag, little);
    view.setUint16(at + 2, 3, little);
    view.setUint32(at + 4, 1, little);
    view.setUint16(at + 8, value, little);
  });
  return new Uint8Array(view.buffer);
};

describe('EXIF orientation', () => {
  it('is read in either byte order, wherever its tag stands (row 1)', () => {
    const other = fc.record({ tag: fc.integer({ min: 0x0113, max: 0xffff }), value: fc.nat(0xffff) });
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.array(other),
        fc.array(other),
        fc.integer({ min: 1, max: 8 }),
        (little, before, after, value) => {
          expect(exifOrientation(tiff(little, [...before, { tag: 0x0112, value }, ...after]))).toBe(value);
        },
      ),
    );
  });

  it('is 1 where the value makes no sense or the block is cut or random', () => {
    expect(exifOrientation(tiff(true, [{ tag: 0x0112, value: 0 }]))).toBe(1);
    expect(exifOrientation(tiff(false, [{ tag: 0x0112, value: 9 }]))).toBe(1);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(exifOrientation(bytes)).toBeGreaterThanOrEqual(1);
        expect(exifOrientation(bytes)).toBeLessThanOrEqual(8);
      }),
    );
  });
});

/** Where the EXIF standard says that the stored pixel (row 0, column 0) belongs in the upright picture. */
const firstPixelAt: Readonly<Record<number, string>> = {
  1: 'top left',
  2: 'top right',
  3: 'bottom right',
  4: 'bottom left',
  5: 'top left',
  6: 'top right',
  7: 'bottom right',
  8: 'bottom left',
};

describe('turning pixels', () => {
  const stored: Pixels = { data: Uint8Array.from({ length: 5 * 3 * 3 }, (_, i) => i), width: 5, height: 3 };
  const at = ({ data, width }: Pixels, x: number, y: number) => data[(y * width + x) * 3];

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('makes orientation %i upright', (orientation) => {
    const turn = turnOf(orientation);
    const upright = turned(stored, turn);
    expect([upright.width, upright.height]).toEqual(isSideways(turn) ? [3, 5] : [5, 3]);
    const corner = firstPixelAt[orientation]!;
    const x = corner.endsWith('right') ? upright.width - 1 : 0;
    const y = corner.startsWith('bottom') ? upright.height - 1 : 0;
    expect(at(upright, x, y)).toBe(at(stored, 0, 0));
    // The row that the standard puts first runs along a side of the picture; its second pixel is next to the first.
    const inward = isSideways(turn) ? [x, y === 0 ? 1 : y - 1] : [x === 0 ? 1 : x - 1, y];
    expect(at(upright, inward[0]!, inward[1]!)).toBe(at(stored, 1, 0));
    expect([...upright.data].sort((a, b) => a - b)).toEqual([...stored.data]);
  });
});
