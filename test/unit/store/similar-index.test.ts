import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSimilarIndex, nearBits } from '../../../main/store/sql/similar-index.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const bitsOf = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((sum, byte, i) => sum + (byte ^ b[i]!).toString(2).replaceAll('0', '').length, 0);

it('finds what a comparison with all finds', () => {
  const flips = fc.array(fc.nat(255), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(hash, { minLength: 1, maxLength: 40 }), fc.nat(), flips, (hashes, pick, flipped) => {
      const index = createSimilarIndex();
      hashes.forEach((value, i) => {
        index.add(i + 1, value);
      });
      const wanted = Uint8Array.from(hashes[pick % hashes.length]!);
      for (const bit of flipped) wanted[bit >> 3]! ^= 1 << (bit & 7);
      const distances = hashes.map((value) => bitsOf(value, wanted));
      const least = Math.min(...distances);
      expect(index.nearest(wanted)).toBe(least <= nearBits ? distances.indexOf(least) + 1 : null);
    }),
  );
});

it('holds more than it began with room for', () => {
  const index = createSimilarIndex();
  const hashOf = (n: number) =>
    Uint8Array.from({ length: 32 }, (_, i) => (n * (2 * i + 1) * 2_654_435_761) >>> (i % 24));
  for (let n = 1; n <= 5000; n++) index.add(n, hashOf(n));
  for (const n of [1, 1024, 1025, 5000]) expect(index.nearest(hashOf(n))).toBe(n);
});
