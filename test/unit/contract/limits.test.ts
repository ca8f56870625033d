import { describe, expect, it } from 'vitest';
import { changeSettings, defaultSettings, limits, settingsChangeSchema } from '../../../main/contract/settings.ts';

const cases = Object.entries(limits).flatMap(([area, fields]) =>
  Object.entries(fields).map(([key, { min, max }]) => ({ area, key, min, max })),
);

describe('limits of settings', () => {
  it('are known for the numbers, and for nothing else', () => {
    expect(Object.keys(limits.prescreen)).toEqual(['blur', 'flat', 'small']);
    expect(Object.keys(limits.ladder)).not.toContain('pinned');
    expect(limits.ladder.breakerPauseMs).toEqual({ min: 100, max: 600_000 });
    expect(limits.engine.threads).toEqual({ min: 0, max: 256 });
  });

  it.each(cases)('$area.$key is taken from $min to $max, and not beyond', ({ area, key, min, max }) => {
    const change = (value: number) => settingsChangeSchema.safeParse({ [area]: { [key]: value } });
    for (const value of [min, max]) {
      const { data } = change(value);
      expect(changeSettings(defaultSettings, data!)).toMatchObject({ [area]: { [key]: value } });
    }
    for (const value of [min - 1, max + 1]) expect(change(value).success).toBe(false);
  });
});
