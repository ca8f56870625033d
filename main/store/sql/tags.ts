/** What photos have earned and what was set on them; written before sidecars are, so that withdrawal stays exact. */
import type { Label } from '../../contract/labels.ts';
import { gradeAt, labelAt } from '../codes.ts';
import type { PhotoKey, TagKey, TagOperations, TagPair, TagRecord, TagSubject } from '../types.ts';
import { atomic, type Db } from './connection.ts';
import { idBytes } from './ids.ts';
import { pairScopes } from './pair-scope.ts';
import { marks } from './pair-state.ts';
import { pathRange } from './under.ts';

type PairRow = { tag: string; label: number; grade: number; marks: number; in_scope: number };
type RecordRow = {
  path: string;
  tag: string;
  keyword: string;
  sidecar: string;
  made_by: TagRecord['by'];
  written: number;
  holders: number;
};
type QueueRow = { photo_id: PhotoKey; turn: number };

const toPair = (row: PairRow): TagPair => ({
  tag: row.tag,
  label: labelAt(row.label) satisfies Label,
  grade: (row.marks & marks.reviewed) !== 0 ? 'high' : gradeAt(row.grade),
  inScope: row.in_scope === 1,
});

/** Photos with a pair in a scope whose statement has a tag, or with a tag that an export set. */
const photosIn = (scopeSql: string): string =>
  `FROM photos ph WHERE ph.alive = 1 AND
   (EXISTS (SELECT 1 FROM pairs p JOIN statements s ON s.id = p.statement_id
            WHERE p.photo_id = ph.id AND s.tag IS NOT NULL AND ${scopeSql})
    OR EXISTS (SELECT 1 FROM photo_tags r WHERE r.photo_id = ph.id AND r.made_by = 'export'))`;

const keyed = 'photo_id = :photo AND path = :path AND sidecar = :sidecar AND keyword = :keyword';

export const tagOperations = (db: Db): TagOperations => {
  const scoped = pairScopes(db);
  const pairsOf = (scopeSql: string) =>
    db.prepare<unknown[], PairRow>(
      `SELECT s.tag, p.label, p.grade, p.marks, (${scopeSql}) AS in_scope
       FROM pairs p JOIN statements s ON s.id = p.statement_id WHERE p.shown = 1 AND s.tag IS NOT NULL AND p.photo_id = ?`,
    );
  const allPairs = pairsOf('1');
  const paths = db.prepare<[PhotoKey], { path: string; alive: number }>(
    'SELECT path, alive FROM photo_paths WHERE photo_id = ? ORDER BY path',
  );
  const records = db.prepare<[PhotoKey], RecordRow>(
    `SELECT r.*, (SELECT count(*) FROM photo_tags o WHERE o.sidecar = r.sidecar AND o.keyword = r.keyword
       AND o.sidecar <> '') AS holders
     FROM photo_tags r WHERE r.photo_id = ?`,
  );
  const due = db.prepare<[number], QueueRow>(
    'SELECT photo_id, turn FROM tag_queue WHERE problem IS NULL ORDER BY photo_id LIMIT ?',
  );
  const claim = db.prepare(
    `INSERT INTO photo_tags (photo_id, path, tag, keyword, sidecar, made_by, written, at)
     VALUES (:photo, :path, :tag, :keyword, :sidecar, :by, 0, :at) ON CONFLICT DO NOTHING`,
  );
  const written = db.prepare(`UPDATE photo_tags SET written = 1 WHERE ${keyed}`);
  const withdraw = db.prepare(`DELETE FROM photo_tags WHERE ${keyed}`);
  const leave = db.prepare('DELETE FROM tag_queue WHERE photo_id = ? AND turn = ?');
  const hold = db.prepare('UPDATE tag_queue SET problem = ? WHERE photo_id = ? AND turn = ?');
  const again = 'ON CONFLICT DO UPDATE SET turn = turn + 1, problem = NULL';
  const queueBelow = db.prepare(
    `INSERT INTO tag_queue (photo_id) SELECT DISTINCT photo_id FROM photo_paths
     WHERE alive = 1 AND (path = ? OR (path >= ? AND path < ?)) ${again}`,
  );
  const queueAll = db.prepare(`INSERT INTO tag_queue (photo_id) SELECT id FROM photos WHERE true ${again}`);
  const retry = db.prepare('UPDATE tag_queue SET problem = NULL WHERE problem IS NOT NULL');
  const problems = db.prepare<[], { photos: number; problem: string | null }>(
    'SELECT count(*) AS photos, min(problem) AS problem FROM tag_queue WHERE problem IS NOT NULL',
  );
  const ofPhoto = db.prepare<[Buffer | null], { tag: string; path: string; sidecar: string }>(
    `SELECT tag, path, sidecar FROM photo_tags WHERE written = 1 AND photo_id = (SELECT id FROM photos WHERE uuid = ?)
     ORDER BY tag, path`,
  );

  const subject = (photo: PhotoKey, turn: number, pairs: readonly PairRow[]): TagSubject => ({
    photo,
    turn,
    paths: paths.all(photo).map(({ path, alive }) => ({ path, alive: alive === 1 })),
    pairs: pairs.map(toPair),
    records: records.all(photo).map(({ path, tag, keyword, sidecar, made_by, written: isWritten, holders }) => ({
      ...{ photo, path, tag, keyword, sidecar, by: made_by, holders, written: isWritten === 1 },
    })),
  });

  return {
    due: (limit) => due.all(limit).map(({ photo_id, turn }) => subject(photo_id, turn, allPairs.all(photo_id))),
    inScope: (scope, after, limit) => {
      const { sql, params } = scoped(scope);
      const photos = db
        .prepare<unknown[], PhotoKey>(`SELECT ph.id ${photosIn(sql)} AND ph.id > ? ORDER BY ph.id LIMIT ?`)
        .pluck()
        .all(...params, after, limit);
      const pairs = pairsOf(sql);
      return photos.map((photo) => subject(photo, 0, pairs.all(...params, photo)));
    },
    countInScope: (scope) => {
      const { sql, params } = scoped(scope);
      return (
        db
          .prepare<unknown[], number>(`SELECT count(*) ${photosIn(sql)}`)
          .pluck()
          .get(...params) ?? 0
      );
    },
    claim: atomic(db, (claims, at): void => {
      for (const one of claims) claim.run({ ...one, at });
    }),
    settle: atomic(db, (settlement): void => {
      const key = ({ photo, path, sidecar, keyword }: TagKey): TagKey => ({ photo, path, sidecar, keyword });
      for (const one of settlement.written) written.run(key(one));
      for (const one of settlement.withdrawn) withdraw.run(key(one));
      for (const { photo, turn } of settlement.done) leave.run(photo, turn);
      for (const { photo, turn, problem } of settlement.failed) hold.run(problem, photo, turn);
    }),
    queueUnder: (folder) => (folder === null ? queueAll.run().changes : queueBelow.run(...pathRange(folder)).changes),
    retry: () => retry.run().changes,
    problems: () => problems.get()!,
    ofPhoto: (id) =>
      ofPhoto
        .all(idBytes(id))
        .map(({ tag, path, sidecar }) => ({ tag, path, sidecar: sidecar === '' ? null : sidecar })),
  };
};
