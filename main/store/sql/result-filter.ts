/** Filters of the results screen as SQL over pairs `p`, and the photos that meet one as a temporary table. */
import { sep } from 'node:path';
import type { ResultFilter, ResultSort } from '../../contract/result-filter.ts';
import { gradeCode, labelCode } from '../codes.ts';
import type { Db } from './connection.ts';
import { idBytes } from './ids.ts';
import { marks } from './pair-state.ts';
import { rankedPhotos } from './ranked.ts';
import { pathRange } from './under.ts';
import type { Condition } from './verdict-filter.ts';

const list = (values: readonly number[]): string => values.map(Math.trunc).join();
const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

const statementKeys = (db: Db, { setId, statementIds }: ResultFilter): readonly number[] | null => {
  const ids = statementIds?.length ? statementIds.flatMap((id) => idBytes(id) ?? []) : null;
  if (!ids && setId === undefined) return null;
  const parts: string[] = [];
  const params: unknown[] = [];
  if (ids) {
    parts.push(`s.uuid IN (${ids.map(() => '?').join()})`);
    params.push(...ids);
  }
  if (setId !== undefined) {
    parts.push('t.name = ?');
    params.push(setId);
  }
  return db
    .prepare<unknown[], number>(
      `SELECT s.id FROM statements s JOIN statement_sets t ON t.id = s.set_id WHERE ${parts.join(' AND ')}`,
    )
    .pluck()
    .all(...params);
};

/** The part of a filter that is about pairs; `tallies` has the same columns. */
export const pairSql = (db: Db, filter: ResultFilter): string => {
  const parts = ['p.shown = 1'];
  const statements = statementKeys(db, filter);
  if (statements) parts.push(`p.statement_id IN (${list(statements)})`);
  if (filter.labels?.length) parts.push(`p.label IN (${list(filter.labels.map(labelCode))})`);
  if (filter.grades?.length) parts.push(`p.grade IN (${list(filter.grades.map(gradeCode))})`);
  if (filter.damaged !== undefined) parts.push(`p.marks & ${marks.damaged} = ${filter.damaged ? marks.damaged : 0}`);
  if (filter.wantsReview !== undefined) parts.push(`p.wants = ${Number(filter.wantsReview)}`);
  return parts.join(' AND ');
};

/** The part of a filter that is about paths `h`; null where it has none. */
const pathCondition = ({ folderId, text }: ResultFilter): Condition | null => {
  const wanted = text?.trim();
  if (folderId === undefined && !wanted) return null;
  const parts = ['h.alive = 1'];
  const params: unknown[] = [];
  if (folderId !== undefined) {
    parts.push('(h.path = ? OR (h.path >= ? AND h.path < ?))');
    params.push(...pathRange(folderId));
  }
  if (wanted) {
    parts.push("coalesce(h.path_key, h.path) LIKE ? ESCAPE '\\'");
    params.push(`%${escapeLike(wanted.normalize('NFC')).replaceAll('/', sep === '\\' ? '\\\\' : '/')}%`);
  }
  return { sql: parts.join(' AND '), params };
};

/** What a camera wrote, by column of `photos`, and whom a photo looks like. */
const photoCondition = (filter: ResultFilter): Condition | null => {
  const { takenFrom, takenTo, camera, hasGps, minPixels, similarTo } = filter;
  const parts: string[] = [];
  const params: unknown[] = [];
  const add = (sql: string, ...values: readonly unknown[]) => {
    parts.push(sql);
    params.push(...values);
  };
  if (takenFrom !== undefined) add('ph.taken_at >= ?', takenFrom);
  // A day's times come after its name and before that of a later day.
  if (takenTo !== undefined) add('ph.taken_at < ?', `${takenTo}U`);
  if (camera !== undefined) add('ph.camera = ?', camera);
  if (hasGps !== undefined) add('ph.has_gps = ?', Number(hasGps));
  if (minPixels !== undefined) add('ph.width * ph.height >= ?', minPixels);
  if (similarTo !== undefined) {
    const uuid = idBytes(similarTo);
    add('(ph.uuid = ? OR ph.group_id = (SELECT g.group_id FROM photos g WHERE g.uuid = ?))', uuid, uuid);
  }
  return parts.length === 0 ? null : { sql: `ph.alive = 1 AND ${parts.join(' AND ')}`, params };
};

const alivePath = 'SELECT min(h.path) FROM photo_paths h WHERE h.photo_id = p.photo_id AND h.alive = 1';
/** What each sort compares; of a photo's matching pairs the latest and the surest count. */
const keys: Readonly<Record<ResultSort['by'], string>> = {
  path: `(${alivePath})`,
  takenAt: '(SELECT ph.taken_at FROM photos ph WHERE ph.id = p.photo_id)',
  judgedAt: 'max(p.judging_id)',
  confidence: 'max(p.confidence)',
  fit: 'max(r.score)',
};

export type Matches = Readonly<{
  /**
   * Fills temp.matches (photo_id, key) with the photos that meet the filter, unless it holds just those already. `by` is
   * what the key is for; null where no order is wanted.
   */
  fill: (filter: ResultFilter, by: ResultSort['by'] | null) => void;
  /** Fills temp.firsts (photo_id, key, similar) with the first match of each group in this direction. */
  group: (direction: ResultSort['direction']) => void;
}>;

export const matchesTable = (db: Db): Matches => {
  db.exec(`CREATE TEMP TABLE IF NOT EXISTS matches (photo_id INTEGER PRIMARY KEY, key ANY);
    CREATE INDEX IF NOT EXISTS temp.matches_key ON matches (key, photo_id);
    CREATE TEMP TABLE IF NOT EXISTS firsts (photo_id INTEGER PRIMARY KEY, key ANY, similar INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS temp.firsts_key ON firsts (key, photo_id)`);
  const ranked = rankedPhotos(db);
  const clear = db.prepare('DELETE FROM temp.matches');
  const clearFirsts = db.prepare('DELETE FROM temp.firsts');
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck();
  const version = (): string => `${changes.get()} ${db.pragma('data_version', { simple: true })}`;
  /** What the tables were filled for, and at which state of the database. */
  let filled = { filter: '', by: '', version: '' };
  let groupedBy = '';
  return {
    fill: (filter, by) => {
      const least = filter.fits && ranked.least(filter.fits);
      const wanted = JSON.stringify(filter);
      const holds = filled.filter === wanted && (by === null || filled.by === by);
      if (holds && filled.version === version()) return;
      clear.run();
      const path = pathCondition(filter);
      const photo = photoCondition(filter);
      const among = [
        path && `AND p.photo_id IN (SELECT h.photo_id FROM photo_paths h WHERE ${path.sql})`,
        photo && `AND p.photo_id IN (SELECT ph.id FROM photos ph WHERE ${photo.sql})`,
      ];
      const key = by === null || (by === 'fit' && !filter.fits) ? 'judgedAt' : by;
      const pairs = filter.fits
        ? 'temp.ranked r CROSS JOIN pairs p ON p.photo_id = r.photo_id AND r.score >= ?'
        : 'pairs p';
      db.prepare(
        `INSERT INTO temp.matches SELECT p.photo_id, ${keys[key]} FROM ${pairs}
         WHERE ${pairSql(db, filter)} ${among.filter(Boolean).join(' ')} GROUP BY p.photo_id`,
      ).run(...(least === undefined ? [] : [least]), ...(path?.params ?? []), ...(photo?.params ?? []));
      filled = { filter: wanted, by: key, version: version() };
      groupedBy = '';
    },
    group: (direction) => {
      if (groupedBy === direction) return;
      clearFirsts.run();
      // Beside max() or min(), SQLite takes the other columns from the row that has it.
      const first = direction === 'descending' ? 'max' : 'min';
      db.prepare(
        `INSERT INTO temp.firsts SELECT photo_id, key, similar FROM (
           SELECT x.photo_id, ${first}(x.key) AS key, count(*) AS similar FROM temp.matches x
           JOIN photos ph ON ph.id = x.photo_id GROUP BY coalesce(ph.group_id, x.photo_id))`,
      ).run();
      groupedBy = direction;
      filled = { ...filled, version: version() };
    },
  };
};

/** Whether `tallies` alone can count the pairs of a filter. */
export const countsByTally = (filter: ResultFilter): boolean =>
  pathCondition(filter) === null && photoCondition(filter) === null && !filter.fits;
