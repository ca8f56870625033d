/** A row as CSV and JSON Lines carry it: the keys of `vouch verdicts --json`, and what those leave out. */

import type { ExportRow } from '../store/sql/read-export.ts';
import { verdictItem } from './documents.ts';

export const rowOf = (row: ExportRow) => ({
  ...verdictItem(row),
  set: row.set,
  tag: row.tag,
  wantsReview: row.wantsReview,
  flagged: row.flagged,
  degraded: row.degraded,
});
export type OutRow = ReturnType<typeof rowOf>;
