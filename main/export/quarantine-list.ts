/** The quarantine as a table that opens in any spreadsheet, to send to whoever can mend the files. */
import { stringify } from 'csv-stringify/sync';
import type { QuarantineRecord } from '../store/types.ts';
import { quarantineText } from '../words/english.ts';

const columns = ['path', 'reason', 'reasonCode', 'attempts', 'bytes', 'firstTry', 'lastTry'] as const;

const iso = (at: number): string => new Date(at).toISOString();

/** CSV (RFC 4180), UTF-8 with a byte-order mark; names that a spreadsheet would take for formulas are escaped. */
export const quarantineCsv = (items: readonly QuarantineRecord[]): string =>
  stringify(
    [
      columns,
      ...items.map(({ path, reason, attempts, bytes, firstAt, at }) => [
        path,
        quarantineText(reason),
        reason.code,
        attempts,
        bytes,
        iso(firstAt),
        iso(at),
      ]),
    ],
    { bom: true, escape_formulas: true, record_delimiter: '\r\n' },
  );
