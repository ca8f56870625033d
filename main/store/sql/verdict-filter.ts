/** Filters as SQL over pairs `p`, and the cursors by which pages continue. */
import { gradeCode, labelCode } from '../codes.ts';
import type { VerdictFilter } from '../types.ts';
import { idBytes } from './ids.ts';
import { marks } from './pair-state.ts';

export type Condition = Readonly<{ sql: string; params: readonly unknown[] }>;

const conditions = (filter: VerdictFilter): readonly Condition[] => {
  const list: Condition[] = [];
  const add = (sql: string, ...params: unknown[]) => list.push({ sql, params });
  if (filter.label) add('p.label = ?', labelCode(filter.label));
  if (filter.grade) add('p.grade = ?', gradeCode(filter.grade));
  if (filter.wantsReview !== undefined) add(`p.wants = ${Number(filter.wantsReview)}`);
  const mark = (name: keyof typeof marks, wanted: boolean | undefined) => {
    if (wanted === undefined) return;
    // The second term lets SQLite use the index of marked pairs.
    add(wanted ? `p.marks & ${marks[name]} = ${marks[name]} AND p.marks <> 0` : `p.marks & ${marks[name]} = 0`);
  };
  mark('reviewed', filter.reviewed);
  mark('damaged', filter.damaged);
  mark('degraded', filter.degraded);
  mark('flagged', filter.flagged);
  mark('disagrees', filter.disagrees);
  mark('near', filter.near);
  mark('audit', filter.audit);
  mark('skipped', filter.skipped);
  if (filter.contradicted !== undefined) {
    add(`p.marks & ${marks.disagrees | marks.packsDiffer} ${filter.contradicted ? '<>' : '='} 0`);
  }
  return list;
};

/** The part of a filter that `tallies` can count too. */
export const pairCondition = (filter: VerdictFilter): Condition => {
  const all = [{ sql: 'p.shown = 1', params: [] }, ...conditions(filter)];
  return { sql: all.map(({ sql }) => sql).join(' AND '), params: all.flatMap(({ params }) => params) };
};

/** Which statements a filter means; its own condition on `statements s` and `statement_sets t`. */
export const statementCondition = ({ statement, set }: VerdictFilter): Condition | null => {
  if (statement === undefined && set === undefined) return null;
  const parts = ['s.archived_at IS NULL'];
  const params: unknown[] = [];
  if (statement !== undefined) {
    const id = idBytes(statement);
    parts.push(id ? 's.uuid = ?' : 's.text = ?');
    params.push(id ?? statement);
  }
  if (set !== undefined) {
    parts.push('t.name = ?');
    params.push(set);
  }
  return { sql: parts.join(' AND '), params };
};

export const encodeCursor = (values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

/** null for anything that is not a cursor of this order. */
export const decodeCursor = (cursor: string, length: number): readonly unknown[] | null => {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(values) && values.length === length ? values : null;
  } catch {
    return null;
  }
};
