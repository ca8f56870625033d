import { describe, expect, test } from 'vitest';
import { numberOf, readQuantities } from '../../../../models/adapters/concept/quantities.ts';

describe('the whole number that an amount stands for', () => {
  test.each([
    ['7', 7],
    ['1,250', 1250],
    ['1 250', 1250],
    ['12 000 000', 12_000_000],
    ['4k', 4000],
    ['3x', 3],
    ['thirteen', 13],
    ['forty-two', 42],
    ['forty two', 42],
    ['ninety', 90],
    ['a hundred', 100],
    ['one hundred and seven', 107],
    ['three hundred forty-two', 342],
    ['two thousand five hundred', 2500],
    ['a million', 1_000_000],
    ['a dozen', 12],
    ['three dozen', 36],
    ['half a dozen', 6],
  ])('%s is %d', (written, value) => expect(numberOf(written)).toBe(value));

  test.each(['2.5', '3,5', '1/2', '2/3', '2.000', 'one two', 'five hundred hundred-thousand-six-six'])(
    '%s is none, or may be read in two ways',
    (written) => expect(numberOf(written)).toBeNull(),
  );
});

const countOf = (text: string) => [...readQuantities(text).quantities.values()].map(({ count }) => count);
const vague = (least: number) => ({ least, exact: false, vague: true });
const range = (least: number, most: number) => ({ least, most, exact: false, vague: false });

describe('the count that a text claims', () => {
  test.each([
    ['at least four boats', [vague(4)]],
    ['no fewer than 4 boats', [vague(4)]],
    ['more than four boats', [vague(5)]],
    ['> 4 boats', [vague(5)]],
    ['4+ boats', [vague(4)]],
    ['four or more boats', [vague(4)]],
    ['at most four boats', [range(0, 4)]],
    ['up to 4 boats', [range(0, 4)]],
    ['no more than 4 boats', [range(0, 4)]],
    ['fewer than 4 boats', [range(0, 3)]],
    ['less than four boats', [range(0, 3)]],
    ['4 or fewer boats', [range(0, 4)]],
    ['4-6 boats', [range(4, 6)]],
    ['4 – 6 boats', [range(4, 6)]],
    ['four to six boats', [range(4, 6)]],
    ['four or five boats', [range(4, 5)]],
    ['between four and six boats', [range(4, 6)]],
    ['zero boats', [range(0, 0)]],
    ['0 boats', [range(0, 0)]],
    ['exactly 14 boats', [{ least: 14, exact: true, vague: false }]],
    ['dozens of boats', [vague(24)]],
    ['hundreds of boats', [vague(200)]],
    ['twenty-one boats', [{ least: 21, exact: false, vague: false }]],
  ])('%s', (text, counts) => expect(countOf(text)).toEqual(counts));

  test.each([
    '2.5 boats',
    'about ten boats',
    'nearly twenty boats',
    '6-4 boats',
    'half of ½ a boat',
    'ten or so boats',
  ])('%s: none that can be counted by, and not forgotten', (text) => expect(countOf(text)).toContain(null));

  test.each(['two boats', '3 boats', 'no one', 'one of them', 'one and two', 'a boat over two bridges'])(
    '%s is left to the noun phrase',
    (text) => expect(readQuantities(text).text).toBe(text),
  );
});
