/** Library folders: what is watched, with which statement set, and how many photos lie there. */

import { failWith } from '../../failure.ts';
import type { FolderOperations, FolderRecord } from '../types.ts';
import { atomic, type Db } from './connection.ts';
import { pathRange } from './under.ts';

type Row = {
  id: number;
  path: string;
  watched: number;
  set_name: string | null;
  settings: string;
  state: 'ok' | 'offline';
  added_at: number;
  scanned_at: number | null;
};

const toRecord = (row: Row): FolderRecord => ({
  path: row.path,
  watched: row.watched === 1,
  set: row.set_name,
  settings: JSON.parse(row.settings),
  state: row.state,
  addedAt: row.added_at,
  scannedAt: row.scanned_at,
});

export const folderOperations = (db: Db): FolderOperations => {
  const select = 'SELECT f.*, t.name AS set_name FROM folders f LEFT JOIN statement_sets t ON t.id = f.set_id';
  const find = db.prepare<[string], Row>(`${select} WHERE f.path = ?`);
  const all = db.prepare<[], Row>(`${select} ORDER BY f.path`);
  const add = db.prepare('INSERT OR IGNORE INTO folders (path, added_at) VALUES (?, ?)');
  const change = db.prepare(
    'UPDATE folders SET watched = ?, set_id = ?, settings = ?, state = ?, scanned_at = ? WHERE path = ?',
  );
  const remove = db.prepare('DELETE FROM folders WHERE path = ?');
  const setKey = db.prepare<[string], number>('SELECT id FROM statement_sets WHERE name = ?').pluck();
  const photos = db
    .prepare<[string, string, string], number>(
      `SELECT count(DISTINCT photo_id) FROM photo_paths WHERE alive = 1 AND (path = ? OR (path >= ? AND path < ?))`,
    )
    .pluck();
  const quarantined = db
    .prepare<[string, string, string], number>(
      'SELECT count(*) FROM quarantine WHERE path = ? OR (path >= ? AND path < ?)',
    )
    .pluck();

  return {
    upsert: atomic(db, (path, fields): FolderRecord => {
      add.run(path, Date.now());
      const before = toRecord(find.get(path)!);
      const next = { ...before, ...fields, settings: { ...before.settings, ...fields.settings } };
      const set =
        next.set === null ? null : (setKey.get(next.set) ?? failWith('not_found', { what: 'set', id: next.set }));
      change.run(Number(next.watched), set, JSON.stringify(next.settings), next.state, next.scannedAt, path);
      return next;
    }),
    remove: (path) => remove.run(path).changes > 0,
    list: () =>
      all.all().map((row) => {
        const range = pathRange(row.path);
        return { ...toRecord(row), photos: photos.get(...range) ?? 0, quarantined: quarantined.get(...range) ?? 0 };
      }),
  };
};
