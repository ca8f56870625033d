/** JSON Lines: one row a line, with the keys of `vouch verdicts --json`. */

import { rowOf } from '../../documents/row.ts';
import type { ExportReader } from '../../store/sql/read-export.ts';
import type { Written } from '../write.ts';

export function* jsonl(reader: ExportReader, pageSize: number): Generator<Written> {
  for (const page of reader.rows(pageSize)) {
    yield { text: page.map((row) => `${JSON.stringify(rowOf(row))}\n`).join(''), rows: page.length };
  }
}
