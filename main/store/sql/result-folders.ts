/** What a folder of the library holds that no other one does, and what waits for review below each. */

import type { ResultOperations } from '../types-results.ts';
import type { Db } from './connection.ts';
import { idBytes } from './ids.ts';
import { pathRange } from './under.ts';

export const folderRemoval = (
  db: Db,
): Pick<ResultOperations, 'removal' | 'pathsOnlyUnder' | 'wantsReviewAmong' | 'wantsReview'> => {
  const folders = db.prepare<[], string>('SELECT path FROM folders ORDER BY path').pluck();
  const below = '(path = ? OR (path >= ? AND path < ?))';

  /** Paths below the folder and below no other folder of the library (which may lie inside it, or hold it). */
  const onlyUnder = (folder: string) => {
    const others = folders.all().filter((path) => path !== folder);
    return {
      sql: `alive = 1 AND ${below} ${others.map(() => `AND NOT ${below}`).join(' ')}`,
      params: [folder, ...others].flatMap(pathRange),
    };
  };

  return {
    removal: (folder) => {
      const paths = onlyUnder(folder);
      const only = `SELECT photo_id FROM photo_paths WHERE ${paths.sql} AND NOT EXISTS (
        SELECT 1 FROM photo_paths o WHERE o.photo_id = photo_paths.photo_id AND o.alive = 1
        AND o.path NOT IN (SELECT path FROM photo_paths WHERE ${paths.sql}))`;
      const params = [...paths.params, ...paths.params];
      const count = (sql: string): number =>
        db
          .prepare<unknown[], number>(sql)
          .pluck()
          .get(...params) ?? 0;
      return {
        photos: count(`SELECT count(*) FROM (SELECT DISTINCT photo_id FROM (${only}))`),
        verdicts: count(`SELECT count(*) FROM pairs WHERE shown = 1 AND photo_id IN (${only})`),
        reviews: count(`SELECT count(*) FROM reviews r WHERE r.kind IN ('confirm', 'override') AND photo_id IN (${only})
          AND NOT EXISTS (SELECT 1 FROM reviews u WHERE u.undoes = r.id)`),
      };
    },
    pathsOnlyUnder: (folder) => {
      const { sql, params } = onlyUnder(folder);
      return db
        .prepare<unknown[], string>(`SELECT path FROM photo_paths WHERE ${sql} ORDER BY path`)
        .pluck()
        .all(...params);
    },
    wantsReviewAmong: (photoIds) => {
      const waits = db.prepare<[Buffer]>(
        `SELECT 1 FROM pairs WHERE wants = 1 AND shown = 1
         AND photo_id = (SELECT id FROM photos WHERE uuid = ?) LIMIT 1`,
      );
      return photoIds.filter((id) => waits.get(idBytes(id) ?? Buffer.alloc(0)) !== undefined).length;
    },
    wantsReview: () => {
      const waiting = db
        .prepare<[string, string, string], number>(
          `SELECT count(*) FROM pairs p WHERE p.wants = 1 AND p.shown = 1 AND p.photo_id IN (
             SELECT photo_id FROM photo_paths WHERE alive = 1 AND ${below})`,
        )
        .pluck();
      return folders.all().map((folder) => ({ folder, wantsReview: waiting.get(...pathRange(folder)) ?? 0 }));
    },
  };
};
