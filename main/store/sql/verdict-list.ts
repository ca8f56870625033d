/** Pages of verdicts by keyset, with exact totals. */
import type Database from 'better-sqlite3';
import { failWith } from '../../failure.ts';
import type { PageRequest, VerdictFilter, VerdictOperations, VerdictPage } from '../types.ts';
import type { Db } from './connection.ts';
import { photoScope } from './photo-scope.ts';
import { statementKeysOf } from './statement-keys.ts';
import { decodeCursor, encodeCursor, pairCondition } from './verdict-filter.ts';
import { type ItemRow, itemColumns, itemJoins, toItem } from './verdict-rows.ts';

export const verdictReader = (db: Db): Pick<VerdictOperations, 'list'> => {
  const inScope = photoScope(db);

  /** Filters repeat from page to page: preparing their SQL takes longer than running it. */
  const prepared = new Map<string, ReturnType<Db['prepare']>>();
  const prepare = <Row>(sql: string): Database.Statement<unknown[], Row> => {
    const statement = prepared.get(sql) ?? db.prepare(sql);
    if (prepared.size > 100) prepared.clear();
    prepared.set(sql, statement);
    return statement as Database.Statement<unknown[], Row>;
  };

  /** At most `most` where pairs must be counted one by one. */
  const total = (
    filter: VerdictFilter,
    statements: readonly number[] | null,
    scoped: boolean,
    most: number,
  ): number => {
    const pair = pairCondition(filter);
    const among = statements ? ` AND p.statement_id IN (${statements.join()})` : '';
    const sql = scoped
      ? `SELECT count(*) AS n FROM (SELECT 1 FROM temp.scope c CROSS JOIN pairs p ON p.photo_id = c.photo_id
         WHERE ${pair.sql}${among} LIMIT ${most})`
      : `SELECT coalesce(sum(n), 0) AS n FROM tallies p WHERE ${pair.sql}${among}`;
    return prepare<{ n: number }>(sql).get(...pair.params)?.n ?? 0;
  };

  const list = (filter: VerdictFilter, page: PageRequest): VerdictPage => {
    const { limit, cursor = null, countLimit = null } = page;
    const statements = statementKeysOf(db, filter);
    const scoped = inScope(filter);
    const pair = pairCondition(filter);
    const where = [pair.sql];
    const params = [...pair.params];
    const single = statements?.length === 1;
    if (single) where.push(`g.statement_id = ${statements[0]}`);
    else if (statements) where.push(`p.statement_id IN (${statements.join()})`);
    if (scoped) where.push('p.photo_id IN (SELECT photo_id FROM temp.scope)');
    const source = single ? 'judgings g CROSS JOIN pairs p ON p.judging_id = g.id' : 'pairs p';
    // A judging is of one statement, so no two pairs have the same keys, and an index serves them.
    const keys = single ? ['g.id', 'p.photo_id'] : ['p.judging_id', 'p.photo_id'];
    if (cursor !== null) {
      const values = decodeCursor(cursor, keys.length);
      if (!values) return failWith('not_found', { what: 'place', id: cursor });
      where.push(`(${keys.join()}) < (?, ?)`);
      params.push(...values);
    }
    // One more than asked for tells that there are more; -1 is no limit in SQL.
    const counted = total(filter, statements, scoped, countLimit === null ? -1 : Math.trunc(countLimit) + 1);
    const stopped = scoped && countLimit !== null && counted > countLimit;
    if (counted === 0) return { total: 0, items: [], next: null };
    const rows = prepare<ItemRow>(
      `SELECT ${itemColumns()} FROM ${source} ${itemJoins} WHERE ${where.join(' AND ')}
       ORDER BY ${keys.map((key) => `${key} DESC`).join()} LIMIT ?`,
    ).all(...params, Math.trunc(limit) + 1);
    const more = rows.length > limit;
    const shown = more ? rows.slice(0, limit) : rows;
    const last = shown.at(-1);
    return {
      total: stopped ? countLimit : counted,
      ...(stopped && { atLeast: true }),
      items: shown.map(toItem),
      next: more && last ? encodeCursor([last.judging_id, last.photo_id]) : null,
    };
  };

  return { list };
};
