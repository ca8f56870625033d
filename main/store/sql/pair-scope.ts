/** The pairs that an export or a tagging is about: a filter of `verdicts` or of the results screen, as SQL over pairs `p`. */

import type { PairScope } from '../types.ts';
import type { Db } from './connection.ts';
import { photoScope } from './photo-scope.ts';
import { countsByTally, matchesTable, pairSql } from './result-filter.ts';
import { statementKeysOf } from './statement-keys.ts';
import { type Condition, pairCondition } from './verdict-filter.ts';

export type ScopedPairs = Condition & Readonly<{ /** Whether `tallies` alone can count them. */ tallied: boolean }>;

/** How many pairs there are in a scope. */
export const countPairs = (db: Db, { sql, params, tallied }: ScopedPairs): number =>
  db
    .prepare<unknown[], number>(
      tallied
        ? `SELECT coalesce(sum(p.n), 0) FROM tallies p WHERE ${sql}`
        : `SELECT count(*) FROM pairs p WHERE ${sql}`,
    )
    .pluck()
    .get(...params) ?? 0;

/** Fills the temporary tables that the condition reads; they hold until another scope is asked for. */
export const pairScopes = (db: Db): ((scope: PairScope) => ScopedPairs) => {
  const inScope = photoScope(db);
  const matches = matchesTable(db);
  return (scope) => {
    const reviewed = scope.reviewed === undefined ? {} : { reviewed: scope.reviewed };
    if (scope.kind === 'verdicts') {
      const { sql, params } = pairCondition({ ...scope.filter, ...reviewed });
      const statements = statementKeysOf(db, scope.filter);
      const narrows = inScope(scope.filter);
      const among = statements ? ` AND p.statement_id IN (${statements.join()})` : '';
      const within = narrows ? ' AND p.photo_id IN (SELECT photo_id FROM temp.scope)' : '';
      return { sql: sql + among + within, params, tallied: !narrows };
    }
    const tallied = countsByTally(scope.filter);
    const own = pairCondition(reviewed);
    const parts = [pairSql(db, scope.filter), own.sql];
    if (!tallied) {
      matches.fill(scope.filter, null);
      parts.push('p.photo_id IN (SELECT photo_id FROM temp.matches)');
    }
    return { sql: parts.join(' AND '), params: own.params, tallied };
  };
};
