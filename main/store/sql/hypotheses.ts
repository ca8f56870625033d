/** What text graphs made of statements' parts: kept by the store's worker, read by whoever reads statements. */
import { existsSync } from 'node:fs';
import { hashBytes } from '../codes.ts';
import type { HypothesisKey, HypothesisOperations } from '../types.ts';
import { atomic, connect, type Db, databaseFile } from './connection.ts';

/** The oldest beyond so many are forgotten: a search for any text leaves one, of one to three kilobytes. */
const most = 10_000;

export const hypothesisOperations = (db: Db): HypothesisOperations => {
  const put = db.prepare(
    `INSERT INTO hypotheses (pack_sha256, adapter_version, text, kept_at, blob) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET kept_at = excluded.kept_at, blob = excluded.blob`,
  );
  const prune = db.prepare(
    'DELETE FROM hypotheses WHERE kept_at < (SELECT kept_at FROM hypotheses ORDER BY kept_at DESC LIMIT 1 OFFSET ?)',
  );
  return {
    keep: atomic(db, ({ packSha256, adapterVersion }: HypothesisKey, made) => {
      const at = Date.now();
      for (const { text, blob } of made) put.run(hashBytes(packSha256), adapterVersion, text, at, blob);
      prune.run(most - 1);
    }),
  };
};

/**
 * Those of the texts that are kept in a home; none where there is no database yet, or one that no writer has brought to
 * this version.
 */
export const readHypotheses = (
  home: string,
  { packSha256, adapterVersion }: HypothesisKey,
  texts: readonly string[],
): ReadonlyMap<string, Uint8Array> => {
  const file = databaseFile(home);
  if (!existsSync(file)) return new Map();
  const db = connect(file, true);
  try {
    const known = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'hypotheses'").get();
    if (!known) return new Map();
    const read = db
      .prepare<[Buffer, string, string], Buffer>(
        'SELECT blob FROM hypotheses WHERE pack_sha256 = ? AND adapter_version = ? AND text = ?',
      )
      .pluck();
    const pack = hashBytes(packSha256);
    return new Map(
      texts.flatMap((text) => {
        const blob = read.get(pack, adapterVersion, text);
        return blob ? [[text, blob] as const] : [];
      }),
    );
  } finally {
    db.close();
  }
};
