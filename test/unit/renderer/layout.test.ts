import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gridLayout, moved } from '../../../renderer/photo/layout.ts';
import { fitted, largestScale, panned, zoomedAt } from '../../../renderer/photo/zoom.ts';

describe('grid', () => {
  it('fills the width with cells no smaller than asked', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 4000 }), fc.integer({ min: 96, max: 512 }), (width, thumbnail) => {
        const { columns, cell } = gridLayout(width, thumbnail);
        const used = columns * cell.width + (columns - 1) * 8;
        expect(used).toBeLessThanOrEqual(width);
        expect(width - used).toBeLessThan(columns);
        if (columns > 1) expect(cell.width).toBeGreaterThanOrEqual(thumbnail);
      }),
    );
  });

  const at = { columns: 4, count: 10, page: 2 };
  it.each([
    ['ArrowRight', -1, 0],
    ['ArrowRight', 0, 1],
    ['ArrowRight', 9, 9],
    ['ArrowLeft', 0, 0],
    ['ArrowDown', 1, 5],
    ['ArrowDown', 7, 9],
    ['ArrowDown', 9, 9],
    ['ArrowUp', 5, 1],
    ['ArrowUp', 2, 2],
    ['PageDown', 0, 8],
    ['PageUp', 9, 1],
    ['Home', 7, 0],
    ['End', 2, 9],
    ['x', 2, null],
  ] as const)('%s from %d leads to %s', (key, from, to) => expect(moved(key, from, at)).toBe(to));

  it('leads nowhere in an empty grid', () => {
    expect(moved('ArrowRight', -1, { columns: 4, count: 0, page: 1 })).toBeNull();
  });
});

const side = fc.integer({ min: 50, max: 8000 });
const sizes = fc.record({ width: side, height: side });
const canvases = fc.record({ width: fc.integer({ min: 300, max: 3000 }), height: fc.integer({ min: 300, max: 2000 }) });

describe('zoom', () => {
  it('fits the whole photo, centred', () => {
    fc.assert(
      fc.property(sizes, canvases, (photo, canvas) => {
        const { scale, x, y } = fitted(photo, canvas);
        expect(photo.width * scale).toBeLessThanOrEqual(canvas.width - 48 + 1e-6);
        expect(photo.height * scale).toBeLessThanOrEqual(canvas.height - 48 + 1e-6);
        expect([x, y].every(Number.isInteger)).toBe(true);
        expect(Math.abs(x - (canvas.width - photo.width * scale) / 2)).toBeLessThanOrEqual(0.5);
        expect(Math.abs(y - (canvas.height - photo.height * scale) / 2)).toBeLessThanOrEqual(0.5);
      }),
    );
  });

  it('keeps the point under the pointer where the photo leaves no gap', () => {
    const photo = { width: 4000, height: 3000 };
    const canvas = { width: 1000, height: 800 };
    const before = zoomedAt(fitted(photo, canvas), 1, 500, 400, photo, canvas);
    const after = zoomedAt(before, 2, 300, 200, photo, canvas);
    expect((300 - after.x) / after.scale).toBeCloseTo((300 - before.x) / before.scale);
    expect((200 - after.y) / after.scale).toBeCloseTo((200 - before.y) / before.scale);
  });

  it('never lets the photo out of sight, however it is pulled', () => {
    fc.assert(
      fc.property(
        sizes,
        canvases,
        fc.integer(),
        fc.integer(),
        fc.double({ min: 0.01, max: 50, noNaN: true }),
        (photo, canvas, dx, dy, scale) => {
          const zoomed = zoomedAt(fitted(photo, canvas), scale, 10, 10, photo, canvas);
          expect(zoomed.scale).toBeLessThanOrEqual(largestScale);
          const { x, y } = panned(zoomed, dx, dy, photo, canvas);
          const [width, height] = [photo.width * zoomed.scale, photo.height * zoomed.scale];
          if (width > canvas.width) {
            expect(x).toBeLessThanOrEqual(0);
            expect(x + width).toBeGreaterThanOrEqual(canvas.width - 1e-6);
          } else expect(Math.abs(x - (canvas.width - width) / 2)).toBeLessThanOrEqual(0.5);
          if (height > canvas.height) expect(y + height).toBeGreaterThanOrEqual(canvas.height - 1e-6);
        },
      ),
    );
  });
});
