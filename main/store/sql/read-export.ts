/**
 * A reading connection for an export worker. All pages of one export see the same state of the database, whatever is
 * written meanwhile.
 */
import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { PairScope, PhotoKey, Ranking, StatementKey, VerdictItem } from '../types.ts';
import { connect, databaseFile } from './connection.ts';
import { idText } from './ids.ts';
import { countPairs, pairScopes } from './pair-scope.ts';
import { rankedPhotos } from './ranked.ts';
import { type ItemRow, toItem } from './verdict-rows.ts';

/** A verdict as it is listed, with what files need beside it; `photoKey` and `statementKey` hold inside one export. */
export type ExportRow = VerdictItem & Readonly<{ photoKey: PhotoKey; statementKey: StatementKey; tag: string | null }>;

type ExportPhoto = Readonly<{
  key: PhotoKey;
  id: string;
  path: string;
  width: number;
  height: number;
  takenAt: string | null;
}>;
type ExportStatement = Readonly<{
  key: StatementKey;
  id: string;
  text: string;
  set: string;
  tag: string | null;
}>;

export type ExportReader = Readonly<{
  count: () => number;
  /** By photo, then by statement. */
  rows: (pageSize: number) => Generator<readonly ExportRow[]>;
  /** Photos of which at least one pair is in the scope. */
  photos: (pageSize: number) => Generator<readonly ExportPhoto[]>;
  statements: () => readonly ExportStatement[];
  close: () => void;
}>;

/** A pair and its verdict alone: what belongs to its photo, statement and judging is looked up once, not joined each time. */
const pairColumns = `p.photo_id, p.statement_id, p.model_id, p.judging_id, p.label, p.verdict_label, p.grade, p.confidence,
  p.wants, p.marks, v.p_yes, v.p_no, v.p_maybe, v.lean, v.reason_code, v.reason_params`;
type PairRow = Pick<
  ItemRow,
  | 'photo_id'
  | 'statement_id'
  | 'model_id'
  | 'judging_id'
  | 'label'
  | 'verdict_label'
  | 'grade'
  | 'confidence'
  | 'wants'
  | 'marks'
  | 'p_yes'
  | 'p_no'
  | 'p_maybe'
  | 'lean'
  | 'reason_code'
  | 'reason_params'
>;
type JudgingRow = Pick<ItemRow, 'seed' | 'precision' | 'device' | 'at' | 'model'>;
type PhotoRow = {
  id: number;
  uuid: Buffer;
  path: string | null;
  width: number;
  height: number;
  taken_at: string | null;
};

/** Exported pairs are shown, so their photo has a file: the first by name, from the index alone. */
const alivePath = '(SELECT min(path) FROM photo_paths WHERE photo_id = p.photo_id AND alive = 1)';

const kept = 4096;
/** Rows by key, the latest few thousand in memory; each key is known to be there. */
const cached = <Row>(find: Database.Statement<[number], Row>): ((key: number) => Row) => {
  const rows = new LRUCache<number, Row & object>({ max: kept });
  return (key) => {
    const known = rows.get(key);
    if (known) return known;
    const found = find.get(key)!;
    rows.set(key, found as Row & object);
    return found;
  };
};

/** Throws what SQLite throws; the home must have been opened before. */
export const openExportReader = (home: string, scope: PairScope, ranking?: Ranking): ExportReader => {
  const db = connect(databaseFile(home), true);
  if (ranking) rankedPhotos(db).hold(ranking);
  const scoped = pairScopes(db)(scope);
  db.exec('BEGIN');
  const { sql, params } = scoped;
  const nextRows = db.prepare<unknown[], PairRow>(
    `SELECT ${pairColumns} FROM pairs p
     CROSS JOIN verdicts v ON v.judging_id = p.judging_id AND v.photo_id = p.photo_id
     WHERE (p.photo_id, p.statement_id, p.model_id) > (?, ?, ?) AND ${sql}
     ORDER BY p.photo_id, p.statement_id, p.model_id LIMIT ?`,
  );
  const photoOf = cached(
    db.prepare<[number], Pick<ItemRow, 'photo' | 'path'>>(
      `SELECT ph.uuid AS photo, ${alivePath.replace('p.photo_id', 'ph.id')} AS path FROM photos ph WHERE ph.id = ?`,
    ),
  );
  const judgingOf = cached(
    db.prepare<[number], JudgingRow>(
      `SELECT j.seed, j.precision, j.device, j.at, m.name AS model FROM judgings j JOIN packs k ON k.id = j.pack_id
       JOIN models m ON m.id = k.model_id WHERE j.id = ?`,
    ),
  );
  const statementOf = cached(
    db.prepare<[number], Pick<ItemRow, 'statement' | 'text' | 'set_name'> & Readonly<{ tag: string | null }>>(
      `SELECT s.uuid AS statement, s.text, t.name AS set_name, s.tag FROM statements s
       JOIN statement_sets t ON t.id = s.set_id WHERE s.id = ?`,
    ),
  );
  const nextPhotos = db.prepare<unknown[], PhotoRow>(
    `SELECT ph.id, ph.uuid, ${alivePath.replace('p.photo_id', 'ph.id')} AS path, ph.width, ph.height, ph.taken_at
     FROM photos ph WHERE ph.id > ? AND EXISTS (SELECT 1 FROM pairs p WHERE p.photo_id = ph.id AND ${sql})
     ORDER BY ph.id LIMIT ?`,
  );
  const statements = db.prepare<
    [],
    Readonly<{ id: number; uuid: Buffer; text: string; name: string; tag: string | null }>
  >(
    `SELECT s.id, s.uuid, s.text, t.name, s.tag FROM statements s JOIN statement_sets t ON t.id = s.set_id
     WHERE s.archived_at IS NULL ORDER BY s.id`,
  );

  function* rows(pageSize: number): Generator<readonly ExportRow[]> {
    for (let last: readonly number[] = [0, 0, 0]; ; ) {
      const page = nextRows.all(...last, ...params, pageSize);
      const end = page.at(-1);
      if (!end) return;
      last = [end.photo_id, end.statement_id, end.model_id];
      yield page.map((row) => {
        const { tag, ...statement } = statementOf(row.statement_id);
        const whole = { ...row, ...photoOf(row.photo_id), ...judgingOf(row.judging_id), ...statement };
        return { ...toItem(whole), photoKey: row.photo_id, statementKey: row.statement_id, tag };
      });
    }
  }

  function* photos(pageSize: number): Generator<readonly ExportPhoto[]> {
    for (let last = 0; ; ) {
      const page = nextPhotos.all(last, ...params, pageSize);
      const end = page.at(-1);
      if (!end) return;
      last = end.id;
      yield page.map(({ id, uuid, path, width, height, taken_at }) => ({
        ...{ key: id, id: idText(uuid), path: path ?? '', width, height, takenAt: taken_at },
      }));
    }
  }

  return {
    count: () => countPairs(db, scoped),
    rows,
    photos,
    statements: () =>
      statements.all().map(({ id, uuid, text, name, tag }) => ({ key: id, id: idText(uuid), text, set: name, tag })),
    close: () => db.close(),
  };
};
