/** Appending verdicts: rows that are never changed afterwards, and the pairs that point at them. */
import { hashBytes, noLabel } from '../codes.ts';
import type { JudgedBy, PackedVerdicts } from '../types.ts';
import type { Db } from './connection.ts';
import { newSeed } from './ids.ts';
import { pairKeeper } from './pairs.ts';
import { modelKey } from './statements.ts';

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Stores verdicts, one judging per statement. Call inside a transaction. Returns how many became current. */
export const verdictWriter = (db: Db): ((judging: JudgedBy, packed: readonly PackedVerdicts[]) => number) => {
  const findPack = db
    .prepare<[Buffer, string, number], number>(
      'SELECT id FROM packs WHERE sha256 = ? AND adapter_version = ? AND model_id = ?',
    )
    .pluck();
  const addPack = db.prepare('INSERT INTO packs (model_id, version, sha256, adapter_version) VALUES (?, ?, ?, ?)');
  const addJudging = db.prepare(
    `INSERT INTO judgings (seed, statement_id, pack_id, precision, device, degraded, policy_version, policy_revision,
       hypothesis_hash, run_id, source_id, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addVerdict = db.prepare('INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const pairs = pairKeeper(db);

  const packKey = (judging: JudgedBy, model: number): number => {
    const sha256 = hashBytes(judging.packSha256);
    const found = findPack.get(sha256, judging.adapterVersion, model);
    if (found !== undefined) return found;
    return Number(addPack.run(model, judging.packVersion, sha256, judging.adapterVersion).lastInsertRowid);
  };

  const appendRows = (key: number, rows: PackedVerdicts): void => {
    for (const [i, photo] of rows.photos.entries()) {
      addVerdict.run(
        key,
        photo,
        orNull(rows.pYes[i] ?? Number.NaN),
        orNull(rows.pNo[i] ?? Number.NaN),
        orNull(rows.pMaybe[i] ?? Number.NaN),
        rows.caps[i] ?? null,
        rows.lean[i] === noLabel ? null : rows.lean[i],
        rows.label[i],
        rows.grade[i],
        orNull(rows.confidence[i] ?? Number.NaN),
        rows.wantsReview[i],
        rows.reasonCode[i],
        rows.reasonParams[i],
        rows.near[i],
      );
    }
  };

  return (judging, packed) => {
    const model = modelKey(db, judging.packId);
    const pack = packKey(judging, model);
    let adopted = 0;
    for (const rows of packed) {
      const { lastInsertRowid } = addJudging.run(
        newSeed(judging.at),
        rows.statement,
        pack,
        judging.precision,
        judging.device,
        Number(judging.degraded),
        judging.policy.version,
        judging.policy.revision,
        rows.hypothesisHash,
        judging.run,
        judging.source ?? null,
        judging.at,
      );
      appendRows(Number(lastInsertRowid), rows);
      adopted += pairs.adopt(Number(lastInsertRowid), rows.statement, model);
    }
    return adopted;
  };
};
