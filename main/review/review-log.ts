/** Writes the audit trail to a file, oldest first: CSV as verdicts are exported, or JSON Lines; times in ISO 8601. */
import type { TrailEntry } from '../contract/review.ts';
import { csvHead, csvLine } from '../export/csv.ts';
import { openOutput, writeFailure } from '../export/write.ts';
import { VouchFailure } from '../failure.ts';
import type { Store } from '../store/types.ts';
import { trailEntry } from './trail.ts';

export type LogFormat = 'csv' | 'jsonl';

const pageSize = 500;

const rowOf = ({ verdict, at, ...entry }: TrailEntry) => ({
  at: new Date(at).toISOString(),
  ...entry,
  verdictId: verdict?.id ?? null,
  verdictLabel: verdict?.label ?? null,
  verdictGrade: verdict?.grade ?? null,
  verdictConfidence: verdict?.confidence ?? null,
  model: verdict?.model ?? null,
  version: verdict?.version ?? null,
  precision: verdict?.precision ?? null,
});
type Row = ReturnType<typeof rowOf>;

const columns = [
  ...['at', 'id', 'kind', 'groupId', 'photoId', 'path', 'statementId', 'statement', 'label', 'note', 'reviewer'],
  ...['blind', 'drawnWith', 'tookMs', 'before', 'after', 'undoes', 'verdictId', 'verdictLabel', 'verdictGrade'],
  ...['verdictConfidence', 'model', 'version', 'precision'],
] as readonly (keyof Row)[];

const lineOf = (row: Row, format: LogFormat): string =>
  format === 'csv' ? csvLine(columns.map((column) => row[column])) : `${JSON.stringify(row)}\n`;

/** Page by page, so that a long trail needs little memory. Rejects as an export does; what was there is then as it was. */
export const writeReviewLog = async (store: Store, format: LogFormat, file: string): Promise<number> => {
  try {
    const output = openOutput(file);
    try {
      let rows = 0;
      if (format === 'csv') output.write(csvHead(columns));
      for (let after: string | undefined; ; ) {
        const page = await store.reviews.since({ limit: pageSize, ...(after !== undefined && { after }) });
        output.write(page.map((record) => lineOf(rowOf(trailEntry(record)), format)).join(''));
        rows += page.length;
        if (page.length < pageSize) break;
        after = page.at(-1)?.id;
      }
      output.finish();
      return rows;
    } catch (error) {
      output.abandon();
      throw error;
    }
  } catch (error) {
    throw error instanceof VouchFailure ? error : new VouchFailure(writeFailure(file, error));
  }
};
