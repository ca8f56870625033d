import { describe, expect, it } from 'vitest';
import { formatFor } from '../../../main/words/format.ts';

const en = formatFor('en');
const zh = formatFor('zh-CN');
const minute = 60_000;
const now = Date.UTC(2026, 10, 30, 12);

describe('format', () => {
  it.each([
    [0, '0.0'],
    [21.43, '21.4'],
    [99.94, '99.9'],
    [99.96, '100'],
    [1234.5, '1,235'],
  ])('rate %d is %s', (value, text) => expect(en.rate(value)).toBe(text));

  it.each([
    [0, '0.00'],
    [0.966, '0.97'],
    [1, '1.00'],
    [0.9999, '>0.99'],
    [0.0001, '<0.01'],
  ])('score %d is %s', (value, text) => expect(en.score(value)).toBe(text));

  it.each([
    [0, '0 byte'],
    [999, '999 byte'],
    [1500, '1.5 kB'],
    [11_200_000, '11.2 MB'],
    [610_000_000, '610 MB'],
    [9_600_000_000, '9.6 GB'],
  ])('%d bytes are %s', (value, text) => expect(en.bytes(value)).toBe(text));

  it.each([
    [1, '1 sec'],
    [45_000, '45 sec'],
    [59_700, '1 min'],
    [61_000, '2 min'],
    [59 * minute, '59 min'],
    [59.6 * minute, '1 hr'],
    [35 * 60 * minute, '35 hr'],
    [48 * 60 * minute, '2 days'],
  ])('a span of %d ms is %s', (value, text) => expect(en.span(value)).toBe(text));

  it.each([
    [0, 'now'],
    [59_000, 'now'],
    [2 * minute, '2 minutes ago'],
    [25 * 60 * minute, 'yesterday'],
    [9 * 24 * 60 * minute, 'last week'],
  ])('%d ms before is %s', (past, text) => expect(en.relative(now - past, now)).toBe(text));

  it('is Chinese in Chinese', () => {
    expect(zh.relative(now - 2 * minute, now)).toBe('2分钟前');
    expect(zh.span(45_000)).toBe('45秒');
    expect(zh.language('en')).toBe('英语');
  });

  it('shows an EXIF time as written, whatever the zone of this machine', () => {
    expect(en.taken('2026:11:12 09:41:22+03:00')).toBe('Nov 12, 2026, 9:41 AM');
    expect(en.taken('2026-11-12T09:41:22')).toBe('Nov 12, 2026, 9:41 AM');
    expect(en.taken('some day')).toBe('some day');
  });

  it('bears a language code that is none', () => {
    expect(en.language('not a code')).toBe('not a code');
  });
});
