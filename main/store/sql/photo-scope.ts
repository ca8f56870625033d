/** Photos within a folder, a glob or an id, as a temporary table that listing and counting join with. */
import { pathMatcher } from '../../files/globs.ts';
import type { VerdictFilter } from '../types.ts';
import type { Db } from './connection.ts';
import { idBytes } from './ids.ts';
import { pathRange } from './under.ts';

/**
 * Fills temp.scope and returns true, or returns false when the filter leaves out no photo that is alive: then totals
 * need no counting. What was found is kept until something in the database changes.
 */
export const photoScope = (db: Db): ((filter: VerdictFilter) => boolean) => {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS scope (photo_id INTEGER PRIMARY KEY) STRICT');
  const clear = db.prepare('DELETE FROM temp.scope');
  const add = db.prepare('INSERT OR IGNORE INTO temp.scope VALUES (?)');
  const all = db.prepare<[], { photo_id: number; path: string }>(
    'SELECT photo_id, path FROM photo_paths WHERE alive = 1',
  );
  const below = db.prepare<[string, string, string], { photo_id: number; path: string }>(
    'SELECT photo_id, path FROM photo_paths WHERE alive = 1 AND (path = ? OR (path >= ? AND path < ?))',
  );
  const addPhoto = db.prepare('INSERT INTO temp.scope SELECT id FROM photos WHERE uuid = ?');
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck();
  const version = (): string => `${changes.get()} ${db.pragma('data_version', { simple: true })}`;
  const coversAll = db
    .prepare<[], number>('SELECT (SELECT count(*) FROM temp.scope) = (SELECT count(*) FROM photos WHERE alive = 1)')
    .pluck();
  let filled = '';
  let narrows = false;

  return ({ path, under, photo }) => {
    if (path === undefined && under === undefined && photo === undefined) return false;
    const wanted = JSON.stringify([path, under, photo]);
    if (`${wanted} ${version()}` === filled) return narrows;
    clear.run();
    if (photo !== undefined) {
      addPhoto.run(idBytes(photo));
    } else {
      const matches = path === undefined ? () => true : pathMatcher(path);
      const rows = under === undefined ? all.all() : below.all(...pathRange(under));
      for (const row of rows) if (matches(row.path)) add.run(row.photo_id);
    }
    narrows = photo !== undefined || coversAll.get() !== 1;
    filled = `${wanted} ${version()}`;
    return narrows;
  };
};
