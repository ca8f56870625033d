import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTileUrl, tileUrl } from '../../../main/contract/preview.ts';
import { fitted, panned, tilesInSight, zoomedAt } from '../../../renderer/photo/zoom.ts';

const photo = { width: 4000, height: 3000 };
const canvas = { width: 1200, height: 800 };
const photoId = '0192f3a0-0000-7000-8000-000000000000';

describe('tiles in sight', () => {
  it('are none while the preview has the pixels, and none for a photo no larger than it', () => {
    expect(tilesInSight(fitted(photo, canvas), photo, canvas, 1)).toEqual([]);
    const small = { width: 2048, height: 1000 };
    expect(tilesInSight(zoomedAt(fitted(small, canvas), 8, 0, 0, small, canvas), small, canvas, 1)).toEqual([]);
  });

  it('cover what is in sight without gaps, never lie outside the photo, and are few', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.55, max: 8, noNaN: true }),
        fc.nat(canvas.width),
        fc.nat(canvas.height),
        fc.integer({ min: -9000, max: 9000 }),
        fc.constantFrom(1, 2),
        (scale, x, y, pan, density) => {
          const zoomed = zoomedAt(fitted(photo, canvas), scale, x, y, photo, canvas);
          const place = panned(zoomed, pan, pan / 2, photo, canvas);
          const tiles = tilesInSight(place, photo, canvas, density);
          const area = tiles.reduce((sum, { left, top, width, height }) => {
            const w = Math.min(canvas.width, place.x + left + width) - Math.max(0, place.x + left);
            const h = Math.min(canvas.height, place.y + top + height) - Math.max(0, place.y + top);
            expect(left + width).toBeLessThanOrEqual(photo.width * place.scale + 0.01);
            expect(top + height).toBeLessThanOrEqual(photo.height * place.scale + 0.01);
            return sum + Math.max(0, w) * Math.max(0, h);
          }, 0);
          const seen =
            Math.min(canvas.width, photo.width * place.scale) * Math.min(canvas.height, photo.height * place.scale);
          expect(area / seen).toBeCloseTo(1, 3);
          expect(tiles.length).toBeLessThanOrEqual(96);
          expect(new Set(tiles.map(({ tile }) => tileUrl(photoId, tile))).size).toBe(tiles.length);
        },
      ),
    );
  });

  it('come from a level further off where the photo has more pixels than the screen', () => {
    const huge = { width: 24_000, height: 12_000 };
    const place = zoomedAt(fitted(huge, canvas), 0.2, 0, 0, huge, canvas);
    const tiles = tilesInSight(place, huge, canvas, 1);
    expect(new Set(tiles.map(({ tile }) => tile.level))).toEqual(new Set([2]));
  });
});

describe("a tile's address", () => {
  it('is read as it was written, and nothing else is', () => {
    const tile = { level: 2, column: 11, row: 0 };
    expect(parseTileUrl(tileUrl(photoId, tile))).toEqual({ photoId, tile });
    for (const url of [
      `photo://tile/${photoId}/2/11`,
      `photo://tile/${photoId}/2/11/0/0`,
      `photo://tile/${photoId}/2/-1/0`,
      `photo://tile/../../etc/passwd/0/0/0`,
      `photo://tile/${photoId}/12/0/0`,
      `photo://preview/${photoId}/256`,
    ])
      expect(parseTileUrl(url)).toBeNull();
  });
});
