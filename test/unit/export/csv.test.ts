import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from '../../../main/export/csv.ts';

test('a line is what csv-stringify makes of it, formulas and all', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('=1+1', '+1', '-1', '@x', '\tx', '\rx', '＝1', 'a,b', 'a"b', 'a\nb', '"', ''),
  );
  const value = fc.oneof(text, fc.double({ noNaN: true, min: 0, max: 1 }), fc.boolean(), fc.constant(null));
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 8 }), (cells) => {
      const options = {
        escape_formulas: true,
        record_delimiter: '\r\n',
        quote_record_delimiter: true,
        cast: { boolean: String },
      };
      expect(csvLine(cells)).toBe(stringify([cells], options));
    }),
    { numRuns: 2000 },
  );
});

test('a formula is made harmless and text with a comma is quoted', () => {
  expect(csvLine(['=cmd()', 'a, b', 'said "no"', null, 0.5, true])).toBe(`'=cmd(),"a, b","said ""no""",,0.5,true\r\n`);
});
