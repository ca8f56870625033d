/**
 * Comma-separated values (RFC 4180) for spreadsheets: UTF-8 with a byte-order mark, without which Excel garbles every
 * name that is not ASCII. A text that a spreadsheet would take for a formula gets an apostrophe before it.
 */
import { stringify } from 'csv-stringify/sync';
import type { ExportReader } from '../store/read-export.ts';
import { type OutRow, rowOf } from './row.ts';
import type { Written } from './write.ts';

const columns = [
  'id',
  'photo',
  'path',
  'set',
  'statement',
  'label',
  'effectiveLabel',
  'lean',
  'confidence',
  'grade',
  'reason',
  'reasonCode',
  'wantsReview',
  'reviewed',
  'flagged',
  'damaged',
  'degraded',
  'tag',
  'model',
  'precision',
  'device',
  'at',
] as const satisfies readonly (keyof OutRow)[];

const options = {
  escape_formulas: true,
  record_delimiter: '\r\n',
  cast: { boolean: String },
} as const;

export function* csv(reader: ExportReader, pageSize: number): Generator<Written> {
  yield { text: stringify([columns], { ...options, bom: true }), rows: 0 };
  for (const page of reader.rows(pageSize)) {
    const cells = page.map((row) => {
      const out = rowOf(row);
      return columns.map((column) => out[column]);
    });
    yield { text: stringify(cells, options), rows: page.length };
  }
}
