/** Writes the audit trail to a file, oldest first: CSV (RFC 4180) or JSON Lines, times in ISO 8601. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Store } from '../store/types.ts';
import { trailEntry } from './trail.ts';

export type LogFormat = 'csv' | 'jsonl';

const pageSize = 500;

const rowOf = ({ verdict, at, ...entry }: ReturnType<typeof trailEntry>) => ({
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

/** Every entry, oldest first, page by page, so that a long trail needs little memory. */
export async function* trailRows(store: Store): AsyncGenerator<ReturnType<typeof rowOf>> {
  let after: string | undefined;
  for (;;) {
    const page = await store.reviews.since({ limit: pageSize, ...(after !== undefined && { after }) });
    for (const record of page) yield rowOf(trailEntry(record));
    if (page.length < pageSize) return;
    after = page.at(-1)?.id;
  }
}

export const writeReviewLog = async (store: Store, format: LogFormat, file: string): Promise<number> => {
  let rows = 0;
  const counted = async function* () {
    for await (const row of trailRows(store)) {
      rows += 1;
      yield format === 'csv' ? row : `${JSON.stringify(row)}\n`;
    }
  };
  const source = Readable.from(counted());
  const out = createWriteStream(file);
  const cast = { boolean: String };
  if (format === 'csv') await pipeline(source, stringify({ header: true, cast }), out);
  else await pipeline(source, out);
  return rows;
};
