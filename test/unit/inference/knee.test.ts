import { describe, expect, it } from 'vitest';
import { kneeOf } from '../../../main/inference/knee.ts';
import { percentile } from '../../../main/inference/percentile.ts';

const row = (size: number, perSecond: number, p95: number, failures = 0) => ({ size, perSecond, p95, failures });

describe('knee', () => {
  it('is the smallest size within 5 % of the best', () => {
    expect(kneeOf([row(1, 94, 10), row(2, 95, 20), row(4, 100, 40)], true)).toBe(2);
    expect(kneeOf([row(4, 100, 40), row(1, 100, 10)], true)).toBe(1);
  });

  it('passes over sizes that take too long, on a GPU sooner than on the CPU', () => {
    const rows = [row(1, 50, 100), row(8, 100, 900)];
    expect(kneeOf(rows, true)).toBe(8);
    expect(kneeOf(rows, false)).toBeNull();
    expect(kneeOf([row(1, 96, 100), row(8, 100, 900)], false)).toBe(1);
  });

  it('trusts no size at which photos failed, and finds none in an empty table', () => {
    expect(kneeOf([row(1, 96, 100), row(2, 99, 100, 1)], true)).toBe(1);
    expect(kneeOf([], true)).toBeNull();
    expect(kneeOf([row(1, 0, 0)], true)).toBeNull();
  });
});

it('percentiles of nothing are 0, so that an empty row is still a row', () => {
  expect(percentile([], 95)).toBe(0);
  expect(percentile([1, 2, 3, 4], 50)).toBe(2);
});
