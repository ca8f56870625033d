/** Every pair of one photo, with the verdicts it had before. */
import type { Device, Precision } from '../../contract/labels.ts';
import type { Cap, VerdictReason } from '../../contract/reason.ts';
import { gradeAt, hashText, labelAt, labelOrNull } from '../codes.ts';
import type { ResultOperations, StoredPair, StoredVerdict } from '../types-results.ts';
import type { Db } from './connection.ts';
import { extractionKeys } from './evidence.ts';
import { idBytes, idText, verdictId } from './ids.ts';
import { storedPhoto } from './stored-photo.ts';

type VerdictRow = {
  photo_id: number;
  judging_id: number;
  statement_id: number;
  seed: Buffer;
  p_yes: number | null;
  p_no: number | null;
  p_maybe: number | null;
  caps: string | null;
  lean: number | null;
  label: number;
  grade: number;
  confidence: number | null;
  reason_code: string;
  reason_params: string;
  model: string;
  version: string;
  sha256: Buffer;
  precision: string;
  device: string;
  degraded: number;
  at: number;
};
type PairRow = {
  judging_id: number;
  statement_id: number;
  uuid: Buffer;
  text: string;
  set_name: string;
  tag: string | null;
  yes: number | null;
  no: number | null;
  flag: 'yes' | 'no' | null;
  label: number;
  wants: number;
};
type FlagsRow = { id: number; damaged: number; blurred: number; flat: number; small: number };

const toVerdict = (row: VerdictRow): StoredVerdict => ({
  id: verdictId(row.seed, row.photo_id),
  label: labelAt(row.label),
  lean: labelOrNull(row.lean),
  confidence: row.confidence,
  grade: gradeAt(row.grade),
  p: row.p_yes === null ? null : { yes: row.p_yes, no: row.p_no ?? 0, maybe: row.p_maybe ?? 0 },
  caps: row.caps === null ? [] : (JSON.parse(row.caps) as readonly Cap[]),
  reason: { code: row.reason_code, params: JSON.parse(row.reason_params) } as VerdictReason,
  packId: row.model,
  packVersion: row.version,
  packSha256: hashText(row.sha256),
  precision: row.precision as Precision,
  device: row.device as Device,
  degraded: row.degraded === 1,
  at: row.at,
});

export const resultPhoto = (db: Db): Pick<ResultOperations, 'photo' | 'evidence'> => {
  const detail = storedPhoto(db);
  const find = db.prepare<[Buffer], FlagsRow>('SELECT id, damaged, blurred, flat, small FROM photos WHERE uuid = ?');
  const pairs = db.prepare<[number], PairRow>(
    `SELECT p.judging_id, p.statement_id, s.uuid, s.text, t.name AS set_name, s.tag, s.yes, s.no, s.flag, p.label, p.wants
     FROM pairs p JOIN statements s ON s.id = p.statement_id JOIN statement_sets t ON t.id = s.set_id
     WHERE p.photo_id = ? AND s.archived_at IS NULL AND t.model_id = p.model_id ORDER BY t.name, s.position, s.id`,
  );
  const verdicts = db.prepare<[number], VerdictRow>(
    `SELECT v.*, j.statement_id, j.seed, j.precision, j.device, j.degraded, j.at, m.name AS model, k.version, k.sha256
     FROM verdicts v JOIN judgings j ON j.id = v.judging_id JOIN packs k ON k.id = j.pack_id
     JOIN models m ON m.id = k.model_id WHERE v.photo_id = ? ORDER BY v.judging_id DESC`,
  );
  const blob = db
    .prepare<[number, number], Buffer>('SELECT blob FROM evidence WHERE extraction_id = ? AND photo_id = ?')
    .pluck();
  const flagsOf = (id: string): FlagsRow | undefined => find.get(idBytes(id) ?? Buffer.alloc(0));

  return {
    photo: (id) => {
      const flags = flagsOf(id);
      const photo = detail(id);
      if (!flags || !photo) return null;
      const all = verdicts.all(flags.id);
      const toPair = (row: PairRow): StoredPair[] => {
        const current = all.find(({ judging_id }) => judging_id === row.judging_id);
        if (!current) return [];
        const older = all.filter((v) => v.statement_id === row.statement_id && v !== current);
        return [
          {
            statement: row.statement_id,
            statementId: idText(row.uuid),
            text: row.text,
            set: row.set_name,
            ...{ tag: row.tag, yes: row.yes, no: row.no, flag: row.flag },
            effectiveLabel: labelAt(row.label),
            wantsReview: row.wants === 1,
            current: toVerdict(current),
            history: older.map(toVerdict),
          },
        ];
      };
      return {
        photo,
        flags: {
          damaged: flags.damaged === 1,
          blurred: flags.blurred === 1,
          flat: flags.flat === 1,
          small: flags.small === 1,
        },
        pairs: pairs.all(flags.id).flatMap(toPair),
      };
    },
    evidence: (id, wanted) => {
      const photo = flagsOf(id);
      if (!photo) return null;
      for (const extraction of extractionKeys(db, wanted)) {
        const found = blob.get(extraction, photo.id);
        if (found) return found;
      }
      return null;
    },
  };
};
