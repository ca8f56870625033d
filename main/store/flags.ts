/** Marks that send photos, or pairs, to spot-check. Appended; a later decision on the pair settles them. */
import { atomic, type Db } from './connection.ts';
import { fail } from './errors.ts';
import { idBytes, idText, newId } from './ids.ts';
import { pairKeeper } from './pairs.ts';
import type { FlagOperations, FlagTarget } from './types.ts';

type Row = {
  uuid: Buffer;
  statement: Buffer | null;
  is_set: number;
  reason: string;
  made_by: string;
  at: number;
};

export const flagOperations = (db: Db): FlagOperations => {
  const pairs = pairKeeper(db);
  const photoKey = db.prepare<[Buffer | null], number>('SELECT id FROM photos WHERE uuid = ?').pluck();
  const statementKey = db.prepare<[Buffer | null], number>('SELECT id FROM statements WHERE uuid = ?').pluck();
  const add = db.prepare(
    `INSERT INTO flags (uuid, photo_id, statement_id, is_set, reason, made_by, after_review, at)
     VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(id), 0) FROM reviews), ?)`,
  );
  const all = db.prepare<[number], Row>(
    `SELECT f.uuid, s.uuid AS statement, f.is_set, f.reason, f.made_by, f.at
     FROM flags f LEFT JOIN statements s ON s.id = f.statement_id WHERE f.photo_id = ? ORDER BY f.id DESC`,
  );

  const append = (isSet: boolean) =>
    atomic(db, (targets: readonly FlagTarget[], reason: string, by: string, at: number): void => {
      for (const target of targets) {
        const photo = photoKey.get(idBytes(target.photo)) ?? fail('not_found', { photo: target.photo });
        const statement =
          target.statementId === null
            ? null
            : (statementKey.get(idBytes(target.statementId)) ?? fail('not_found', { statement: target.statementId }));
        add.run(newId(), photo, statement, Number(isSet), reason, by, at);
        if (statement === null) pairs.refreshPhoto(photo);
        else pairs.refresh(photo, statement);
      }
    });

  return {
    set: append(true),
    clear: append(false),
    list: (photo) => {
      const key = photoKey.get(idBytes(photo));
      if (key === undefined) return [];
      return all.all(key).map((row) => ({
        photo,
        id: idText(row.uuid),
        statementId: row.statement && idText(row.statement),
        set: row.is_set === 1,
        reason: row.reason,
        by: row.made_by,
        at: row.at,
      }));
    },
  };
};
