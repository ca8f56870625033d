import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as evidence from '../../../../models/adapters/concept/evidence.ts';
import { classIndex, detectorIndex, seen } from './pack.ts';

/** Of the two boxes, .06 of the square is shared and .38 covered. */
const box = [0.1, 0.2, 0.5, 0.8] as const;
const besideIt = [0.3, 0.5, 0.7, 1] as const;

describe('evidence', () => {
  test('keeps the classes, the maxima and the boxes', () => {
    const bytes = evidence.packEvidence(
      seen({ hen: 0.7, cock: 0.2 }, [
        { name: 'bird', score: 0.6, at: box },
        { name: 'dog', score: 0.3, at: besideIt },
      ]),
    );
    const opened = evidence.openEvidence(bytes);
    expect(bytes.length).toBeLessThan(600);
    expect([0, 1].map((i) => evidence.classAt(opened, i))).toEqual([classIndex('hen'), classIndex('cock')]);
    expect(evidence.probabilityAt(opened, 0)).toBeCloseTo(0.7, 2);
    expect(evidence.maximumScore(opened, detectorIndex('bird'))).toBeCloseTo(0.6, 1);
    expect(evidence.peakCount(opened)).toBe(2);
    expect(evidence.peakClass(opened, 0)).toBe(detectorIndex('bird'));
    expect(evidence.overlap(opened, 0, 1)).toBeCloseTo(0.06 / 0.38, 2);
    expect(evidence.disagreement(opened)).toBe(0);
  });

  test('scores and probabilities come back within a hundredth, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 1000, maxLength: 1000 }), (raw) => {
        const sum = raw.reduce((a, b) => a + b, 0) + 1e-6;
        const whole = Float32Array.from(raw, (x) => (x + 1e-9) / sum);
        const bytes = evidence.packEvidence({ ...seen({}), whole, central: whole });
        let before = 1;
        for (let i = 0; i < evidence.keptClasses; i++) {
          const p = evidence.probabilityAt(bytes, i);
          expect(Math.abs(p - whole[evidence.classAt(bytes, i)]!)).toBeLessThan(0.01);
          expect(p).toBeLessThanOrEqual(before);
          before = p;
        }
      }),
      { numRuns: 20 },
    );
  });

  test('two views that disagree are told', () => {
    const [a, b] = [seen({ hen: 0.9 }), seen({ balloon: 0.9 })];
    const bytes = evidence.packEvidence({ ...a, central: b.whole });
    expect(evidence.disagreement(bytes)).toBeGreaterThan(0.5);
  });

  test('a blob of another version or length is refused', () => {
    const bytes = evidence.packEvidence(seen({ hen: 0.9 }));
    expect(() => evidence.openEvidence(Uint8Array.from([99, ...bytes.subarray(1)]))).toThrow();
    expect(() => evidence.openEvidence(bytes.subarray(0, 50))).toThrow();
  });
});
