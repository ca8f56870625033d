/** Everything known of one photo, with its whole history. */
import { gradeAt, hashText, labelOrNull } from '../codes.ts';
import type { HistoryEntry, PhotoDetail } from '../types.ts';
import type { Db } from './connection.ts';
import { idBytes, idText, verdictId } from './ids.ts';
import { type ItemRow, itemColumns, itemJoins, toItem } from './verdict-rows.ts';

type PhotoRow = {
  id: number;
  uuid: Buffer;
  file_hash: Buffer;
  image_hash: Buffer;
  format: string;
  bytes: number;
  width: number;
  height: number;
  frames: number;
  damaged: number;
  blurred: number;
  flat: number;
  small: number;
  sharpness: number | null;
  deviation: number | null;
  taken_at: string | null;
  camera: string | null;
  has_gps: number;
  added_at: number;
};
type PathRow = { path: string; alive: number; bytes: number; mtime_ms: number };
type EntryRow = {
  kind: HistoryEntry['kind'];
  id: Buffer;
  at: number;
  statement: string | null;
  label: number | null;
  grade: number | null;
  confidence: number | null;
  made_by: string;
  note: string | null;
};

export const photoDetail = (db: Db): ((id: string) => PhotoDetail | null) => {
  const photo = db.prepare<[Buffer], PhotoRow>('SELECT * FROM photos WHERE uuid = ?');
  const paths = db.prepare<[number], PathRow>(
    'SELECT path, alive, bytes, mtime_ms FROM photo_paths WHERE photo_id = ? ORDER BY alive DESC, path',
  );
  const items = db.prepare<[number], ItemRow>(
    `SELECT ${itemColumns()} FROM pairs p ${itemJoins}
     WHERE p.photo_id = ? AND s.archived_at IS NULL AND t.model_id = p.model_id ORDER BY t.name, s.position`,
  );
  const history = db.prepare<[Readonly<{ photo: number }>], EntryRow>(
    `SELECT 'verdict' AS kind, j.seed AS id, j.at, s.text AS statement, v.label, v.grade, v.confidence,
       m.name AS made_by, v.reason_code AS note
     FROM verdicts v JOIN judgings j ON j.id = v.judging_id JOIN statements s ON s.id = j.statement_id
     JOIN packs k ON k.id = j.pack_id JOIN models m ON m.id = k.model_id WHERE v.photo_id = :photo
     UNION ALL
     SELECT r.kind, r.uuid, r.at, s.text, r.label, r.verdict_grade, r.verdict_confidence, r.reviewer, r.note
     FROM reviews r JOIN statements s ON s.id = r.statement_id WHERE r.photo_id = :photo
     UNION ALL
     SELECT CASE WHEN f.is_set THEN 'flag' ELSE 'unflag' END, f.uuid, f.at, s.text, NULL, NULL, NULL, f.made_by, f.reason
     FROM flags f LEFT JOIN statements s ON s.id = f.statement_id WHERE f.photo_id = :photo
     ORDER BY 3 DESC, 2 DESC`,
  );

  return (id) => {
    const row = photo.get(idBytes(id) ?? Buffer.alloc(0));
    if (!row) return null;
    const toEntry = (entry: EntryRow): HistoryEntry => ({
      kind: entry.kind,
      id: entry.kind === 'verdict' ? verdictId(entry.id, row.id) : idText(entry.id),
      at: entry.at,
      statement: entry.statement,
      label: labelOrNull(entry.label),
      grade: entry.grade === null ? null : gradeAt(entry.grade),
      confidence: entry.confidence,
      by: entry.made_by,
      note: entry.note,
    });
    return {
      id: idText(row.uuid),
      paths: paths
        .all(row.id)
        .map(({ path, alive, bytes, mtime_ms }) => ({ path, alive: alive === 1, bytes, mtimeMs: mtime_ms })),
      fileHash: hashText(row.file_hash),
      imageHash: hashText(row.image_hash),
      format: row.format,
      bytes: row.bytes,
      width: row.width,
      height: row.height,
      frames: row.frames,
      damaged: row.damaged === 1,
      takenAt: row.taken_at,
      camera: row.camera,
      hasGps: row.has_gps === 1,
      prescreen:
        row.sharpness === null || row.deviation === null
          ? null
          : {
              sharpness: row.sharpness,
              deviation: row.deviation,
              blurred: row.blurred === 1,
              flat: row.flat === 1,
              small: row.small === 1,
            },
      addedAt: row.added_at,
      verdicts: items.all(row.id).map(toItem),
      history: history.all({ photo: row.id }).map(toEntry),
    };
  };
};
