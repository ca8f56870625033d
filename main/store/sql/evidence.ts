/** What separable models extracted from photos; looked up by pack, precision, input size and preprocess version. */
import { hashBytes } from '../codes.ts';
import type { EvidenceKey, JudgedBy, NewEvidence, PhotoKey } from '../types.ts';
import type { Db } from './connection.ts';

/** Precisions from best to least: where any will do, the best is read. */
const byQuality = "CASE precision WHEN 'fp32' THEN 0 WHEN 'bf16' THEN 1 WHEN 'fp16' THEN 2 ELSE 3 END";

/** Extractions that satisfy a key, best first. */
export const extractionKeys = (db: Db, key: EvidenceKey): readonly number[] =>
  db
    .prepare<unknown[], number>(
      `SELECT id FROM extractions WHERE pack_sha256 = ? AND input_size = ? AND preprocess_version = ?
       AND precision = coalesce(?, precision) ORDER BY ${byQuality}`,
    )
    .pluck()
    .all(hashBytes(key.packSha256), key.inputSize, key.preprocessVersion, key.precision);

export const evidenceWriter = (db: Db): ((judging: JudgedBy, photo: PhotoKey, evidence: NewEvidence) => void) => {
  const find = db
    .prepare<[Buffer, number, number, string], number>(
      `SELECT id FROM extractions WHERE pack_sha256 = ? AND input_size = ? AND preprocess_version = ? AND precision = ?`,
    )
    .pluck();
  const add = db.prepare(
    'INSERT INTO extractions (pack_sha256, input_size, preprocess_version, precision) VALUES (?, ?, ?, ?)',
  );
  const put = db.prepare(
    `INSERT INTO evidence (extraction_id, photo_id, device, at, blob) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET device = excluded.device, at = excluded.at, blob = excluded.blob`,
  );
  return (judging, photo, { inputSize, preprocessVersion, blob }) => {
    const key = [hashBytes(judging.packSha256), inputSize, preprocessVersion, judging.precision] as const;
    const extraction = find.get(...key) ?? Number(add.run(...key).lastInsertRowid);
    put.run(extraction, photo, judging.device, judging.at, blob);
  };
};
