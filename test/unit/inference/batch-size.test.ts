import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchCeiling, paddedSize, paddedSizes } from '../../../main/inference/batch-size.ts';

const gib = 2 ** 30;

describe('batch size', () => {
  it('follows what the pack says a sample costs', () => {
    const input = { size: 224, maxBatch: 32, baseBytes: gib, bytesPerSample: gib / 8 };
    expect(batchCeiling(input, 2 * gib)).toBe(4);
    expect(batchCeiling(input, 100 * gib)).toBe(32);
    expect(batchCeiling(input, 0)).toBe(1);
  });

  it.each([
    [13, 224, 8],
    [12, 224, 4],
    [9, 224, 4],
    [5, 224, 2],
    [4, 224, 1],
    [13, 384, 4],
    [13, 512, 2],
    [5, 512, 1],
  ])('with %i GiB free and %i pixels, and no figures in the pack: %i', (free, size, batch) => {
    expect(batchCeiling({ size, maxBatch: 64 }, free * gib)).toBe(batch);
  });

  it('never leaves 1 to maxBatch, and never falls as memory grows', () => {
    const input = fc.record({ size: fc.constantFrom(224, 384, 512), maxBatch: fc.integer({ min: 1, max: 128 }) });
    const costs = fc.option(
      fc.record({ baseBytes: fc.nat(4 * gib), bytesPerSample: fc.integer({ min: 1, max: gib }) }),
      { nil: {} },
    );
    fc.assert(
      fc.property(input, costs, fc.nat(64), fc.nat(64), (base, cost, free, more) => {
        const pack = { ...base, ...cost };
        const small = batchCeiling(pack, free * gib);
        expect(small).toBeGreaterThanOrEqual(1);
        expect(small).toBeLessThanOrEqual(base.maxBatch);
        expect(batchCeiling(pack, (free + more) * gib)).toBeGreaterThanOrEqual(small);
      }),
    );
  });

  it('pads to no more than the pack allows, and warms those sizes', () => {
    expect(paddedSizes(6)).toEqual([1, 2, 4, 6]);
    expect(paddedSizes(8)).toEqual([1, 2, 4, 8]);
    expect(paddedSizes(1)).toEqual([1]);
    expect([3, 5, 6].map((n) => paddedSize(n, false, 6))).toEqual([4, 6, 6]);
    // A fixed size is never changed.
    expect(paddedSize(7, false, 6)).toBe(7);
  });

  it('pads to powers of two off the CPU', () => {
    expect([1, 3, 8, 9].map((n) => paddedSize(n, false, 32))).toEqual([1, 4, 8, 16]);
    expect(paddedSize(3, true, 32)).toBe(3);
  });
});
