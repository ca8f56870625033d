/** A row as CSV and JSON Lines carry it: the keys of `vouch verdicts --json`, and what those leave out. */
import { verdictItem } from '../cli/documents.ts';
import type { ExportRow } from '../store/read-export.ts';

export const rowOf = (row: ExportRow) => ({
  ...verdictItem(row),
  set: row.set,
  tag: row.tag,
  wantsReview: row.wantsReview,
  flagged: row.flagged,
  degraded: row.degraded,
});
export type OutRow = ReturnType<typeof rowOf>;
