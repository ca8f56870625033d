/** Queue pages by keyset, their counts, and the audit's draw. */

import { type QueueItem, type QueueName, type QueueOrder, queueNames } from '../../contract/review.ts';
import { failWith } from '../../failure.ts';
import type { QueueOperations } from '../types.ts';
import { atomic, type Db } from './connection.ts';
import { splitVerdictId } from './ids.ts';
import { hasMark, marks } from './pair-state.ts';
import { flaggedByStatement, pairKeeper } from './pairs.ts';
import { fewPairs, queueCondition, queueSource, type Sized, scopeStatements } from './queue-source.ts';
import { pathRange } from './under.ts';
import { decodeCursor, encodeCursor } from './verdict-filter.ts';
import { type ItemRow, itemColumns, itemJoins, shownPath, toItem } from './verdict-rows.ts';

type Row = ItemRow & { width: number; height: number; key0: string | number };
type FlagRow = { statement_id: number | null; is_set: number; reason: string; made_by: string; at: number };

/** Where counting takes time it stops here: "10,000+". */
const countedUpTo = 10_000;

const firstKey: Readonly<Record<QueueOrder, string>> = {
  uncertain: 'coalesce(p.confidence, -1)',
  oldest: 'p.judging_id',
  folder: shownPath,
};
const drawnAs = `(SELECT a.id FROM audits a WHERE a.photo_id = p.photo_id AND a.statement_id = p.statement_id)`;

export const queueOperations = (db: Db): QueueOperations => {
  const pairs = pairKeeper(db);
  const prepared = new Map<string, ReturnType<Db['prepare']>>();
  /** Scopes repeat from page to page: preparing their SQL takes longer than running it. */
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? db.prepare<unknown[], unknown>(sql);
    if (prepared.size > 100) prepared.clear();
    prepared.set(sql, statement);
    return statement;
  };
  const countAll = (condition: string, statements: readonly number[] | null): number => {
    const among = statements ? ` AND p.statement_id IN (${statements.map(Math.trunc).join()})` : '';
    return prepare(`SELECT coalesce(sum(n), 0) FROM tallies p WHERE ${condition}${among}`).pluck().get() as number;
  };
  const photosBelow = db
    .prepare<[string, string, string], number>(
      `SELECT count(*) FROM (SELECT 1 FROM photo_paths h WHERE h.alive = 1 AND (h.path = ? OR (h.path >= ? AND h.path < ?))
       LIMIT ${fewPairs + 1})`,
    )
    .pluck();
  const sized = (queue: QueueName, statements: readonly number[] | null, folderId: string | undefined): Sized => ({
    inQueue: countAll(queueCondition(queue), statements),
    inFolder: folderId === undefined ? null : (photosBelow.get(...pathRange(folderId)) ?? 0),
  });

  /** In a folder, pairs are counted one by one: from the folder's photos, or from a queue that is short. */
  const countIn = (queue: QueueName, statements: readonly number[] | null, folderId: string, size: Sized): number => {
    if (size.inQueue === 0 || size.inFolder === 0) return 0;
    const { sql, params } =
      size.inQueue <= 4 * fewPairs
        ? queueSource(queue, 'uncertain', folderId, statements, size)
        : {
            sql: `FROM photo_paths h CROSS JOIN pairs p ON p.photo_id = h.photo_id
              WHERE h.alive = 1 AND (h.path = ? OR (h.path >= ? AND h.path < ?)) AND ${queueCondition(queue)}
              ${statements ? `AND p.statement_id IN (${statements.map(Math.trunc).join()})` : ''}`,
            params: pathRange(folderId),
          };
    return prepare(`SELECT count(*) FROM (SELECT DISTINCT p.photo_id, p.statement_id ${sql} LIMIT ${countedUpTo + 1})`)
      .pluck()
      .get(...params) as number;
  };
  const count = (queue: QueueName, statements: readonly number[] | null, folderId: string | undefined) => {
    const size = sized(queue, statements, folderId);
    const found = folderId === undefined ? size.inQueue : countIn(queue, statements, folderId, size);
    const atLeast = folderId !== undefined && found > countedUpTo;
    return { size, count: atLeast ? countedUpTo : found, atLeast };
  };

  const flagsOf = db.prepare<[number, number], FlagRow>(
    `SELECT statement_id, is_set, reason, made_by, at FROM flags
     WHERE photo_id = ? AND (statement_id = ? OR statement_id IS NULL) ORDER BY id DESC`,
  );
  const flagViews = (row: Row): QueueItem['flags'] => {
    if (!hasMark(row.marks, 'flagged')) return [];
    const all = flagsOf.all(row.photo_id, row.statement_id);
    const last = [all.find((flag) => flag.statement_id === null), all.find((flag) => flag.statement_id !== null)];
    return last.flatMap((flag) => {
      if (!flag?.is_set) return [];
      const by = flag.made_by === flaggedByStatement ? null : flag.made_by;
      return [{ reason: flag.reason, by, at: flag.at, wholePhoto: flag.statement_id === null }];
    });
  };
  const toQueueItem = (row: Row): QueueItem => {
    const { id, photo, set, degraded, ...item } = toItem(row);
    const view = { ...item, degraded, verdictId: id, photoId: photo, setName: set };
    return { ...view, width: row.width, height: row.height, flags: flagViews(row) };
  };
  const columns = (path?: string) => `${itemColumns(path)}, ph.width, ph.height`;
  const one = db.prepare<[Buffer, number], Row>(
    `SELECT ${columns()}, 0 AS key0 FROM (SELECT id FROM judgings WHERE seed = ?) g
     CROSS JOIN pairs p ON p.judging_id = g.id AND p.photo_id = ? ${itemJoins}`,
  );

  const page: QueueOperations['page'] = ({ queue, scope, order, cursor, limit }) => {
    const statements = scopeStatements(db, scope);
    const { size, ...total } = count(queue, statements, scope.folderId);
    if (total.count === 0) return { items: [], next: null, total: 0, atLeast: false };
    const { sql, params, withPath } = queueSource(queue, order, scope.folderId, statements, size);
    const key = queue === 'audit' ? drawnAs : withPath ? 'h.path' : firstKey[order];
    const keys = [key, 'p.photo_id', 'p.statement_id', 'p.model_id'];
    let after: readonly unknown[] = [];
    if (cursor !== null)
      after = decodeCursor(cursor, keys.length) ?? failWith('not_found', { what: 'place', id: cursor });
    const beyond = cursor === null ? '' : `AND (${keys.join()}) > (?, ?, ?, ?)`;
    // The page's keys first, then everything else of these few pairs: the sort carries no text.
    const rows = prepare(
      `SELECT ${columns()}, k.key0 FROM (SELECT p.photo_id, p.statement_id, p.model_id, ${key} AS key0 ${sql} ${beyond}
         ORDER BY ${keys.join()} LIMIT ?) k
       CROSS JOIN pairs p ON p.photo_id = k.photo_id AND p.statement_id = k.statement_id AND p.model_id = k.model_id
       ${itemJoins} ORDER BY k.key0, p.photo_id, p.statement_id, p.model_id`,
    ).all(...params, ...after, Math.trunc(limit) + 1) as Row[];
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      items: shown.map(toQueueItem),
      next: last ? encodeCursor([last.key0, last.photo_id, last.statement_id, last.model_id]) : null,
      total: total.count,
      atLeast: total.atLeast,
    };
  };

  const undrawn = `FROM pairs p WHERE p.shown = 1 AND p.confidence IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM audits a WHERE a.photo_id = p.photo_id AND a.statement_id = p.statement_id)`;
  const countUndrawn = db.prepare<[], number>(`SELECT count(*) ${undrawn}`).pluck();
  const pick = db.prepare<[number], { photo_id: number; statement_id: number }>(
    `SELECT p.photo_id, p.statement_id ${undrawn} ORDER BY random() LIMIT ?`,
  );
  const addDrawn = db.prepare('INSERT INTO audits (photo_id, statement_id, drawn_with, at) VALUES (?, ?, ?, ?)');

  return {
    page,
    counts: (scope) => {
      const statements = scopeStatements(db, scope);
      const marked = (mark: keyof typeof marks) =>
        countAll(`p.shown = 1 AND p.marks & ${marks[mark]} <> 0`, statements);
      return {
        queues: queueNames.map((name) => {
          const { count: found, atLeast } = count(name, statements, scope.folderId);
          return { name, count: found, atLeast };
        }),
        reviewed: marked('reviewed'),
        skipped: marked('skipped'),
      };
    },
    item: (verdict) => {
      const parts = splitVerdictId(verdict);
      const row = parts && one.get(parts.seed, parts.photo);
      return row ? toQueueItem(row) : null;
    },
    draw: atomic(db, (wanted, at) => {
      const among = countUndrawn.get() ?? 0;
      const drawn = pick.all(wanted);
      for (const { photo_id, statement_id } of drawn) {
        addDrawn.run(photo_id, statement_id, drawn.length / among, at);
        pairs.refresh(photo_id, statement_id);
      }
      return { drawn: drawn.length, waiting: countAll(queueCondition('audit'), null) };
    }),
  };
};
