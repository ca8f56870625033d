import { describe, expect, it } from 'vitest';
import { defaultSettings, slaMsOn } from '../../../main/contract/settings.ts';
import { kneeOf } from '../../../main/measure/knee.ts';
import { percentile } from '../../../main/measure/percentile.ts';

const row = (size: number, perSecond: number, p95: number, failures = 0) => ({ size, perSecond, p95, failures });

const { ladder } = defaultSettings;
const inTime = 1000;

describe('knee', () => {
  it('is the smallest size within 5 % of the best', () => {
    expect(kneeOf([row(1, 94, 10), row(2, 95, 20), row(4, 100, 40)], inTime)).toBe(2);
    expect(kneeOf([row(4, 100, 40), row(1, 100, 10)], inTime)).toBe(1);
  });

  it('passes over sizes that take too long, on a GPU sooner than on the CPU', () => {
    const rows = [row(1, 50, 100), row(8, 100, 900)];
    expect(kneeOf(rows, slaMsOn('cpu', ladder))).toBe(8);
    expect(kneeOf(rows, slaMsOn('webgpu', ladder))).toBeNull();
    expect(kneeOf([row(1, 96, 100), row(8, 100, 900)], slaMsOn('webgpu', ladder))).toBe(1);
  });

  it('goes by the time limit of the settings', () => {
    const rows = [row(1, 50, 100), row(8, 100, 900)];
    const onCpu = (slaCpuMs: number) => kneeOf(rows, slaMsOn('cpu', { ...ladder, slaCpuMs }));
    expect(onCpu(900)).toBe(8);
    expect(onCpu(899)).toBeNull();
  });

  it('trusts no size at which photos failed, and finds none in an empty table', () => {
    expect(kneeOf([row(1, 96, 100), row(2, 99, 100, 1)], inTime)).toBe(1);
    expect(kneeOf([], inTime)).toBeNull();
    expect(kneeOf([row(1, 0, 0)], inTime)).toBeNull();
  });
});

it('percentiles of nothing are 0, so that an empty row is still a row', () => {
  expect(percentile([], 95)).toBe(0);
  expect(percentile([1, 2, 3, 4], 50)).toBe(2);
});
