/** Statement sets. A statement is never changed: an edit makes a new one and archives the old. */
import type { StatementEntry } from '../../contract/statement.ts';
import { failWith } from '../../failure.ts';
import type { SetRecord, StatementOperations, StatementRecord } from '../types.ts';
import { atomic, type Db } from './connection.ts';
import { idText, newId } from './ids.ts';

type Row = {
  id: number;
  uuid: Buffer;
  text: string;
  tag: string | null;
  yes: number | null;
  no: number | null;
  flag: 'yes' | 'no' | null;
  note: string | null;
  position: number;
  created_at: number;
  archived_at: number | null;
};

/** All of an entry that makes it another statement when it changes. */
const fieldsOf = (entry: StatementEntry) =>
  [entry.text, entry.tag ?? null, entry.yes ?? null, entry.no ?? null, entry.flag ?? null, entry.note ?? null] as const;

const toRecord = (row: Row, set: string): StatementRecord => ({
  key: row.id,
  id: idText(row.uuid),
  set,
  text: row.text,
  ...(row.tag !== null && { tag: row.tag }),
  ...(row.yes !== null && { yes: row.yes }),
  ...(row.no !== null && { no: row.no }),
  ...(row.flag !== null && { flag: row.flag }),
  ...(row.note !== null && { note: row.note }),
  position: row.position,
  createdAt: row.created_at,
  archivedAt: row.archived_at,
});

/** Finds or adds a pack id. */
export const modelKey = (db: Db, packId: string): number => {
  const find = db.prepare<[string], number>('SELECT id FROM models WHERE name = ?').pluck();
  return find.get(packId) ?? Number(db.prepare('INSERT INTO models (name) VALUES (?)').run(packId).lastInsertRowid);
};

export const statementOperations = (db: Db): StatementOperations => {
  const setByName = db.prepare<[string], { id: number; model_id: number }>(
    'SELECT id, model_id FROM statement_sets WHERE name = ?',
  );
  const addSet = db.prepare('INSERT INTO statement_sets (name, model_id) VALUES (?, ?)');
  const renameSet = db.prepare('UPDATE statement_sets SET name = ? WHERE name = ?');
  const changeModel = db.prepare('UPDATE statement_sets SET model_id = ? WHERE id = ?');
  const allOf = db.prepare<[number], Row>('SELECT * FROM statements WHERE set_id = ? ORDER BY position, id');
  const same = db.prepare<unknown[], Row>(
    `SELECT * FROM statements WHERE set_id = ? AND text IS ? AND tag IS ? AND yes IS ? AND no IS ? AND flag IS ?
     AND note IS ? ORDER BY archived_at IS NOT NULL, id LIMIT 1`,
  );
  const add = db.prepare(
    `INSERT INTO statements (uuid, set_id, text, tag, yes, no, flag, note, position, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const place = db.prepare('UPDATE statements SET position = ?, archived_at = NULL WHERE id = ?');
  const retire = db.prepare('UPDATE statements SET archived_at = ? WHERE id = ? AND archived_at IS NULL');
  // Hidden pairs stay; judgings lead to the pairs of a statement without an index of their own.
  const showPairs = db.prepare(
    `UPDATE pairs SET shown = (SELECT alive FROM photos WHERE id = photo_id)
       AND (SELECT s.archived_at IS NULL AND t.model_id = pairs.model_id
            FROM statements s JOIN statement_sets t ON t.id = s.set_id WHERE s.id = pairs.statement_id)
     WHERE judging_id IN (SELECT id FROM judgings WHERE statement_id = ?)`,
  );

  const openSet = (name: string, packId: string): number => {
    const model = modelKey(db, packId);
    const found = setByName.get(name);
    if (!found) return Number(addSet.run(name, model).lastInsertRowid);
    if (found.model_id !== model) {
      changeModel.run(model, found.id);
      for (const { id } of allOf.all(found.id)) showPairs.run(id);
    }
    return found.id;
  };

  const keep = (set: number, entry: StatementEntry, position: number): number => {
    const found = same.get(set, ...fieldsOf(entry));
    if (!found) return Number(add.run(newId(), set, ...fieldsOf(entry), position, Date.now()).lastInsertRowid);
    if (found.position !== position || found.archived_at !== null) place.run(position, found.id);
    if (found.archived_at !== null) showPairs.run(found.id);
    return found.id;
  };

  const archiveAll = (keys: readonly number[]): void => {
    for (const key of keys) if (retire.run(Date.now(), key).changes > 0) showPairs.run(key);
  };

  const recordsOf = (set: number, name: string, archived: boolean): readonly StatementRecord[] =>
    allOf
      .all(set)
      .filter((row) => archived || row.archived_at === null)
      .map((row) => toRecord(row, name));

  return {
    upsertSet: atomic(db, ({ name, statements }, packId): SetRecord => {
      const set = openSet(name, packId);
      const kept = new Set(statements.map((entry, position) => keep(set, entry, position)));
      archiveAll(
        allOf
          .all(set)
          .map((row) => row.id)
          .filter((id) => !kept.has(id)),
      );
      return { name, packId, statements: recordsOf(set, name, false) };
    }),
    addTo: atomic(db, (name, entries, packId): readonly StatementRecord[] => {
      const set = openSet(name, packId);
      const positions = allOf.all(set).map((row) => row.position);
      const next = Math.max(-1, ...positions) + 1;
      const keys = entries.map((entry, index) => {
        const found = same.get(set, ...fieldsOf(entry));
        return keep(set, entry, found?.position ?? next + index);
      });
      const records = new Map(recordsOf(set, name, false).map((record) => [record.key, record]));
      return keys.flatMap((key) => records.get(key) ?? []);
    }),
    setPack: atomic(db, (name, packId) => {
      if (!setByName.get(name)) failWith('not_found', { what: 'set', id: name });
      openSet(name, packId);
    }),
    rename: (from, to) => {
      if (renameSet.run(to, from).changes === 0) failWith('not_found', { what: 'set', id: from });
    },
    archive: atomic(db, archiveAll),
    list: ({ archived = false, set } = {}) =>
      db
        .prepare<[], { id: number; name: string; pack: string }>(
          'SELECT t.id, t.name, m.name AS pack FROM statement_sets t JOIN models m ON m.id = t.model_id ORDER BY t.name',
        )
        .all()
        .filter(({ name }) => set === undefined || name === set)
        .map(({ id, name, pack }) => ({ name, packId: pack, statements: recordsOf(id, name, archived) })),
  };
};
