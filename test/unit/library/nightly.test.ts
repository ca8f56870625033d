import { describe, expect, it } from 'vitest';
import { isNightlyDue } from '../../../main/library/nightly.ts';

const at = (day: number, hour: number) => new Date(2026, 4, day, hour, 30);

describe('a night’s work', () => {
  it('is due once after three', () => {
    expect(isNightlyDue(at(10, 4), at(9, 12).getTime())).toBe(true);
    expect(isNightlyDue(at(10, 4), at(10, 3).getTime())).toBe(false);
    expect(isNightlyDue(at(10, 2), at(9, 12).getTime())).toBe(false);
  });
  it('is made up for when the machine was off, once', () => {
    expect(isNightlyDue(at(10, 14), at(7, 12).getTime())).toBe(true);
    expect(isNightlyDue(at(10, 15), at(10, 14).getTime())).toBe(false);
  });
  it('is owed for no time before the first start', () => {
    expect(isNightlyDue(at(10, 14), null)).toBe(false);
  });
});
