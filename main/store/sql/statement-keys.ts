/** Which statements a filter of verdicts means. */

import type { VerdictFilter } from '../types.ts';
import type { Db } from './connection.ts';
import { statementCondition } from './verdict-filter.ts';

/** null where it means any. */
export const statementKeysOf = (db: Db, filter: VerdictFilter): readonly number[] | null => {
  const condition = statementCondition(filter);
  if (!condition) return null;
  return db
    .prepare<unknown[], number>(
      `SELECT s.id FROM statements s JOIN statement_sets t ON t.id = s.set_id WHERE ${condition.sql}`,
    )
    .pluck()
    .all(...condition.params);
};
