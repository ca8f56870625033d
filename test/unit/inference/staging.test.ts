import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ViewSpec } from '../../../main/contract/seam.ts';
import { bytesPerPhoto, createStaging } from '../../../main/inference/host/staging.ts';

const views: readonly ViewSpec[] = [
  { id: 'a', width: 1, height: 1, fit: 'fill' },
  { id: 'b', width: 2, height: 1, fit: 'fill' },
];
const photo = (value: number) => ({
  pixels: new Uint8Array(bytesPerPhoto(views)).map((_, i) => (value * 16 + i) & 255),
});
type Photo = ReturnType<typeof photo>;

describe('staging', () => {
  it('lays every batch as if it had been laid at once, whatever was prepared before', () => {
    const step = fc.record({
      ahead: fc.array(fc.nat(9), { maxLength: 5 }),
      batch: fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
        const photos = Array.from({ length: 10 }, (_, i) => photo(i));
        const pick = (ids: readonly number[]): Photo[] => ids.map((id) => photos[id]!);
        const staging = createStaging<Photo>(views, 2);
        for (const { ahead, batch } of steps) {
          staging.prepare(pick(ahead), 5);
          const items = pick(batch);
          const buffers = staging.fill(items, items.length);
          const of = (id: string, bytes: number) => [...new Uint8Array(buffers[id]!, 0, items.length * bytes)];
          expect(of('a', 3)).toEqual(items.flatMap(({ pixels }) => [...pixels.subarray(0, 3)]));
          expect(of('b', 6)).toEqual(items.flatMap(({ pixels }) => [...pixels.subarray(3, 9)]));
          staging.giveBack(buffers);
        }
      }),
    );
  });
});
