/** Photos by what their pairs say: pages by keyset with exact totals, and the counts beside the filters. */

import type { Grade, Label } from '../../contract/labels.ts';
import type { ResultFilter } from '../../contract/result-filter.ts';
import type { CameraCount, ResultItem, VerdictChip } from '../../contract/views.ts';
import { failWith } from '../../failure.ts';
import { gradeAt, labelAt, labelOrNull } from '../codes.ts';
import type { ResultOperations, ResultRequest } from '../types-results.ts';
import type { Db } from './connection.ts';
import { idText, verdictId } from './ids.ts';
import { hasMark } from './pair-state.ts';
import { rankedPhotos } from './ranked.ts';
import { countsByTally, matchesTable, pairSql } from './result-filter.ts';
import { folderRemoval } from './result-folders.ts';
import { resultPhoto } from './result-photo.ts';
import { pathRange } from './under.ts';
import { decodeCursor, encodeCursor } from './verdict-filter.ts';
import { shownPath } from './verdict-rows.ts';

type PhotoRow = {
  photo_id: number;
  key: string | number | null;
  uuid: Buffer;
  path: string;
  width: number;
  height: number;
  taken_at: string | null;
  damaged: number;
  similar: number;
  fit: number | null;
};
type ChipRow = {
  photo_id: number;
  statement: Buffer;
  seed: Buffer;
  label: number;
  verdict_label: number;
  lean: number | null;
  confidence: number | null;
  grade: number;
  wants: number;
  marks: number;
  at: number;
  matching: number;
};
type CountRow = { statement: Buffer; label: number; grade: number; wants: number; n: number };

const toChip = (row: ChipRow): VerdictChip => ({
  verdictId: verdictId(row.seed, row.photo_id),
  statementId: idText(row.statement),
  label: labelAt(row.verdict_label),
  effectiveLabel: labelAt(row.label),
  lean: labelOrNull(row.lean),
  confidence: row.confidence,
  grade: gradeAt(row.grade),
  wantsReview: row.wants === 1,
  reviewed: hasMark(row.marks, 'reviewed'),
});

const toItem = (row: PhotoRow, chips: readonly ChipRow[]): ResultItem => ({
  photoId: idText(row.uuid),
  path: row.path,
  width: row.width,
  height: row.height,
  takenAt: row.taken_at,
  judgedAt: Math.max(0, ...chips.map(({ at }) => at)),
  damaged: row.damaged === 1,
  similar: row.similar,
  fit: row.fit,
  flagged: chips.some(({ marks }) => hasMark(marks, 'flagged')),
  chips: chips.map(toChip),
});

export const resultOperations = (db: Db): ResultOperations => {
  const matches = matchesTable(db);
  const total = db.prepare<[], number>('SELECT count(*) FROM temp.matches').pluck();
  const groups = db.prepare<[], number>('SELECT count(*) FROM temp.firsts').pluck();
  const cameras = db.prepare<[], CameraCount>(
    'SELECT camera, count(*) AS photos FROM photos WHERE alive = 1 AND camera IS NOT NULL GROUP BY camera ORDER BY camera',
  );
  const damaged = db
    .prepare<[], number>(
      'SELECT count(*) FROM temp.matches x JOIN photos ph ON ph.id = x.photo_id WHERE ph.damaged = 1',
    )
    .pluck();
  const folders = db.prepare<[], string>('SELECT path FROM folders ORDER BY path').pluck();
  const matchesBelow = db
    .prepare<[string, string, string], number>(
      `SELECT count(*) FROM temp.matches x WHERE EXISTS (SELECT 1 FROM photo_paths h
       WHERE h.photo_id = x.photo_id AND h.alive = 1 AND (h.path = ? OR (h.path >= ? AND h.path < ?)))`,
    )
    .pluck();

  const chipsOf = (photos: readonly number[], filter: ResultFilter): ReadonlyMap<number, readonly ChipRow[]> => {
    const rows = db
      .prepare<[], ChipRow>(
        `SELECT p.photo_id, s.uuid AS statement, j.seed, p.label, p.verdict_label, v.lean, p.confidence, p.grade, p.wants,
           p.marks, j.at, (${pairSql(db, filter)}) AS matching
         FROM pairs p CROSS JOIN judgings j ON j.id = p.judging_id
         CROSS JOIN verdicts v ON v.judging_id = p.judging_id AND v.photo_id = p.photo_id
         CROSS JOIN statements s ON s.id = p.statement_id CROSS JOIN statement_sets t ON t.id = s.set_id
         WHERE p.photo_id IN (${photos.join()}) AND p.shown = 1 ORDER BY matching DESC, t.name, s.position, s.id`,
      )
      .all();
    return Map.groupBy(rows, ({ photo_id }) => photo_id);
  };

  /** Photos without a key come last in either direction; the photo's own key decides between equals. */
  const pageRows = ({ filter, sort, grouped = false, cursor, limit }: ResultRequest): readonly PhotoRow[] => {
    const descending = sort.direction === 'descending';
    const after = cursor === null ? null : decodeCursor(cursor, 2);
    if (cursor !== null && !after) return failWith('not_found', { what: 'place', id: cursor });
    const [key, photo] = (after ?? []) as [string | number | null, number];
    const [than, order] = descending ? ['<', 'DESC'] : ['>', 'ASC'];
    const [table, similar] = grouped ? ['firsts', 'x.similar'] : ['matches', '1 AS similar'];
    const fit = filter.fits ? '(SELECT r.score FROM temp.ranked r WHERE r.photo_id = x.photo_id)' : 'NULL';
    const select = `SELECT x.photo_id, x.key, ${similar}, ${fit} AS fit, ph.uuid, ph.width, ph.height, ph.taken_at, ph.damaged,
        ${shownPath.replaceAll('p.photo_id', 'x.photo_id')} AS path
      FROM temp.${table} x JOIN photos ph ON ph.id = x.photo_id`;
    const keyed = (where: string, params: unknown[], most: number) =>
      db
        .prepare<unknown[], PhotoRow>(
          `${select} WHERE x.key IS NOT NULL ${where} ORDER BY x.key ${order}, x.photo_id ${order} LIMIT ${most}`,
        )
        .all(...params);
    const keyless = (from: number | null, most: number) =>
      db
        .prepare<unknown[], PhotoRow>(
          `${select} WHERE x.key IS NULL ${from === null ? '' : 'AND x.photo_id > ?'} ORDER BY x.photo_id LIMIT ${most}`,
        )
        .all(...(from === null ? [] : [from]));
    if (after && key === null) return keyless(photo, limit);
    const rows = after ? keyed(`AND (x.key, x.photo_id) ${than} (?, ?)`, [key, photo], limit) : keyed('', [], limit);
    return rows.length < limit ? [...rows, ...keyless(null, limit - rows.length)] : rows;
  };

  return {
    rank: rankedPhotos(db).hold,

    page: (request) => {
      const { filter, sort, grouped = false, limit } = request;
      matches.fill(filter, sort.by);
      if (grouped) matches.group(sort.direction);
      const rows = pageRows(request);
      const chips = chipsOf(
        rows.map(({ photo_id }) => photo_id),
        filter,
      );
      const last = rows.length === limit ? rows.at(-1) : undefined;
      return {
        items: rows.map((row) => toItem(row, chips.get(row.photo_id) ?? [])),
        next: last ? encodeCursor([last.key, last.photo_id]) : null,
        total: (grouped ? groups : total).get() ?? 0,
      };
    },

    cameras: () => cameras.all(),

    counts: (filter) => {
      matches.fill(filter, null);
      const source = countsByTally(filter)
        ? `SELECT p.statement_id, p.label, p.grade, p.wants, sum(p.n) AS n FROM tallies p WHERE ${pairSql(db, filter)} AND p.n > 0`
        : `SELECT p.statement_id, p.label, p.grade, p.wants, count(*) AS n
           FROM temp.matches x CROSS JOIN pairs p ON p.photo_id = x.photo_id WHERE ${pairSql(db, filter)}`;
      const rows = db
        .prepare<[], CountRow>(
          `SELECT s.uuid AS statement, g.label, g.grade, g.wants, g.n
           FROM (${source} GROUP BY 1, 2, 3, 4) g JOIN statements s ON s.id = g.statement_id`,
        )
        .all();
      const labels: Record<Label, number> = { yes: 0, no: 0, maybe: 0 };
      const grades: Record<Grade, number> = { high: 0, medium: 0, low: 0 };
      const statements = new Map<string, { statementId: string; labels: Record<Label, number>; wantsReview: number }>();
      let wantsReview = 0;
      for (const row of rows) {
        const statementId = idText(row.statement);
        const own = statements.get(statementId) ?? { statementId, labels: { yes: 0, no: 0, maybe: 0 }, wantsReview: 0 };
        statements.set(statementId, own);
        labels[labelAt(row.label)] += row.n;
        own.labels[labelAt(row.label)] += row.n;
        grades[gradeAt(row.grade)] += row.n;
        wantsReview += row.wants * row.n;
        own.wantsReview += row.wants * row.n;
      }
      return {
        photos: total.get() ?? 0,
        labels,
        grades,
        wantsReview,
        damaged: damaged.get() ?? 0,
        statements: [...statements.values()],
        folders: folders.all().map((folderId) => ({ folderId, photos: matchesBelow.get(...pathRange(folderId)) ?? 0 })),
      };
    },

    ...resultPhoto(db),
    ...folderRemoval(db),
  };
};
