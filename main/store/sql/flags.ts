/** Marks that send photos, or pairs, to spot-check. Appended; a later decision on the pair settles them. */

import { failWith } from '../../failure.ts';
import type { FlagOperations, FlagRecord, FlagTarget } from '../types.ts';
import { atomic, type Db } from './connection.ts';
import { idBytes, idText, newId } from './ids.ts';
import { pairKeeper } from './pairs.ts';
import { shownPath } from './verdict-rows.ts';

type Row = {
  uuid: Buffer;
  photo: Buffer;
  path: string | null;
  statement: Buffer | null;
  text: string | null;
  is_set: number;
  reason: string;
  made_by: string;
  at: number;
};

type Made = { id: number; photo_id: number; statement_id: number | null };
type Said = { is_set: number; reason: string; made_by: string; after_review: number };

const nothingSaid: Said = { is_set: 0, reason: '', made_by: '', after_review: 0 };

const toRecord = (row: Row): FlagRecord => ({
  photo: idText(row.photo),
  id: idText(row.uuid),
  path: row.path ?? '',
  statementId: row.statement && idText(row.statement),
  statement: row.text,
  set: row.is_set === 1,
  reason: row.reason,
  by: row.made_by,
  at: row.at,
});

export const flagOperations = (db: Db): FlagOperations => {
  const pairs = pairKeeper(db);
  const photoKey = db.prepare<[Buffer | null], number>('SELECT id FROM photos WHERE uuid = ?').pluck();
  const statementKey = db.prepare<[Buffer | null], number>('SELECT id FROM statements WHERE uuid = ?').pluck();
  const add = db.prepare(
    `INSERT INTO flags (uuid, group_uuid, photo_id, statement_id, is_set, reason, made_by, after_review, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(id), 0) FROM reviews), ?)`,
  );
  const select = `SELECT f.uuid, ph.uuid AS photo, ${shownPath.replaceAll('p.photo_id', 'f.photo_id')} AS path,
       s.uuid AS statement, s.text, f.is_set, f.reason, f.made_by, f.at FROM flags f JOIN photos ph ON ph.id = f.photo_id LEFT JOIN statements s ON s.id = f.statement_id`;
  const all = db.prepare<[number], Row>(`${select} WHERE f.photo_id = ? ORDER BY f.id DESC`);
  const byRow = db.prepare<[number | bigint], Row>(`${select} WHERE f.id = ?`);

  const standing = 'f.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM flags u WHERE u.undoes = f.id)';
  const last = db.prepare<[string], { id: number; group_uuid: Buffer | null; after_review: number }>(
    `SELECT f.id, f.group_uuid, f.after_review FROM flags f
     WHERE f.made_by = ? AND f.made_by <> 'statement' AND ${standing} ORDER BY f.id DESC LIMIT 1`,
  );
  const lastDecision = db
    .prepare<[string], number>(
      `SELECT r.id FROM reviews r WHERE r.reviewer = ? AND r.kind <> 'undo'
         AND NOT EXISTS (SELECT 1 FROM reviews u WHERE u.undoes = r.id) ORDER BY r.id DESC LIMIT 1`,
    )
    .pluck();
  const together = db.prepare<[number, Buffer | null], Made>(
    `SELECT f.id, f.photo_id, f.statement_id FROM flags f WHERE (f.id = ? OR f.group_uuid = ?) AND ${standing} ORDER BY f.id`,
  );
  const saidElse = db.prepare<[number, number | null, number], Said>(
    `SELECT f.is_set, f.reason, f.made_by, f.after_review FROM flags f
     WHERE f.photo_id = ? AND f.statement_id IS ? AND f.id <> ? AND ${standing} ORDER BY f.id DESC LIMIT 1`,
  );
  const sayAgain = db.prepare(
    `INSERT INTO flags (uuid, photo_id, statement_id, is_set, reason, made_by, after_review, undoes, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  const refresh = (photo: number, statement: number | null): void =>
    statement === null ? pairs.refreshPhoto(photo) : pairs.refresh(photo, statement);

  /** What would hold without it is said again, as it was: by whom, why, and before which decision. */
  const takeBack = ({ id, photo_id, statement_id }: Made, reviewer: string, at: number): FlagRecord => {
    const said = saidElse.get(photo_id, statement_id, id) ?? { ...nothingSaid, made_by: reviewer };
    const { is_set, reason, made_by, after_review } = said;
    const row = sayAgain.run(newId(), photo_id, statement_id, is_set, reason, made_by, after_review, id, at);
    refresh(photo_id, statement_id);
    return toRecord(byRow.get(row.lastInsertRowid)!);
  };

  const append = (isSet: boolean) =>
    atomic(db, (targets: readonly FlagTarget[], reason: string, by: string, at: number): void => {
      const group = newId();
      for (const target of targets) {
        const photo = photoKey.get(idBytes(target.photo)) ?? failWith('not_found', { what: 'photo', id: target.photo });
        const statement =
          target.statementId === null
            ? null
            : (statementKey.get(idBytes(target.statementId)) ??
              failWith('not_found', { what: 'statement', id: target.statementId }));
        add.run(newId(), group, photo, statement, Number(isSet), reason, by, at);
        refresh(photo, statement);
      }
    });

  return {
    set: append(true),
    clear: append(false),
    list: (photo) => {
      const key = photoKey.get(idBytes(photo));
      if (key === undefined) return [];
      return all.all(key).map(toRecord);
    },
    undo: atomic(db, (reviewer, at): readonly FlagRecord[] => {
      const act = last.get(reviewer);
      if (!act || act.after_review < (lastDecision.get(reviewer) ?? 0)) return [];
      return together.all(act.id, act.group_uuid).map((made) => takeBack(made, reviewer, at));
    }),
  };
};
