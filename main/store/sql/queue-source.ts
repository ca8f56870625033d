/** Queues as SQL over pairs `p`: what belongs to each, and from where a page of it is read soonest. */
import type { QueueName, QueueOrder, QueueScope } from '../../contract/review.ts';
import type { StatementKey } from '../types.ts';
import type { Db } from './connection.ts';
import { idBytes } from './ids.ts';
import { marks } from './pair-state.ts';
import { pathRange } from './under.ts';
import type { Condition } from './verdict-filter.ts';

const differs = marks.disagrees | marks.packsDiffer;
const unskipped = `p.marks & ${marks.skipped} = 0`;
const bears = (mark: number): string => `p.marks & ${mark} <> 0`;

type Queue = Readonly<{ index: string; condition: string }>;
/** Each index of migration 0002 has the first term of its queue's condition. */
const queues: Readonly<Record<QueueName, Queue>> = {
  review: { index: 'pairs_wanted', condition: 'p.wants = 1' },
  threshold: { index: 'pairs_near', condition: bears(marks.near) },
  flagged: { index: 'pairs_flagged', condition: `${bears(marks.flagged)} AND ${unskipped}` },
  damaged: { index: 'pairs_damaged', condition: `${bears(marks.damaged)} AND p.wants = 1` },
  degraded: { index: 'pairs_degraded', condition: `${bears(marks.degraded)} AND p.wants = 1` },
  audit: { index: 'pairs_audit', condition: bears(marks.audit) },
  disagreements: { index: 'pairs_disagrees', condition: `${bears(differs)} AND ${unskipped}` },
};

/** Also on `tallies p`. */
export const queueCondition = (queue: QueueName): string => `${queues[queue].condition} AND p.shown = 1`;

/** The statements of a scope; null for all. */
export const scopeStatements = (db: Db, { setId, statementIds }: QueueScope): readonly StatementKey[] | null => {
  const ids = statementIds?.length ? statementIds.flatMap((id) => idBytes(id) ?? []) : null;
  if (!ids && setId === undefined) return null;
  const parts = ['s.archived_at IS NULL'];
  const params: unknown[] = [];
  if (ids) parts.push(`s.uuid IN (${ids.map(() => '?').join()})`);
  params.push(...(ids ?? []));
  if (setId !== undefined) parts.push('t.name = ?');
  if (setId !== undefined) params.push(setId);
  return db
    .prepare<unknown[], number>(
      `SELECT s.id FROM statements s JOIN statement_sets t ON t.id = s.set_id WHERE ${parts.join(' AND ')}`,
    )
    .pluck()
    .all(...params);
};

/** Up to this many pairs are found first and sorted then; of more, an index in the wanted order is walked. */
export const fewPairs = 5000;

const below = 'h.alive = 1 AND (h.path = ? OR (h.path >= ? AND h.path < ?))';
const inFolder = `EXISTS (SELECT 1 FROM photo_paths h WHERE h.photo_id = p.photo_id AND ${below})`;
const inFolderFirst = `p.photo_id IN (SELECT h.photo_id FROM photo_paths h WHERE ${below})`;

export type Sized = Readonly<{
  /** How many pairs are in the queue at all, and how many photos below the scope's folder (both may stop counting). */
  inQueue: number;
  inFolder: number | null;
}>;

/** `FROM ... WHERE ...` of a queue within a scope; `h.path` is there where `withPath`. */
export const queueSource = (
  queue: QueueName,
  order: QueueOrder,
  folderId: string | undefined,
  statements: readonly StatementKey[] | null,
  { inQueue, inFolder: photos }: Sized,
): Condition & Readonly<{ withPath: boolean }> => {
  const { index } = queues[queue];
  const where = [queueCondition(queue)];
  const params: string[] = [];
  if (statements) where.push(`p.statement_id IN (${statements.map(Math.trunc).join()})`);
  const walksPaths =
    order === 'folder' && queue !== 'audit' && inQueue > fewPairs && (photos ?? fewPairs + 1) > fewPairs;
  if (walksPaths) {
    where.push(
      folderId === undefined ? 'h.alive = 1' : below,
      'NOT EXISTS (SELECT 1 FROM photo_paths o WHERE o.photo_id = h.photo_id AND o.alive = 1 AND o.path < h.path)',
    );
    if (folderId !== undefined) params.push(...pathRange(folderId));
    return {
      sql: `FROM photo_paths h CROSS JOIN pairs p ON p.photo_id = h.photo_id WHERE ${where.join(' AND ')}`,
      params,
      withPath: true,
    };
  }
  let from = `pairs p INDEXED BY ${index}`;
  if (folderId !== undefined) {
    const driven = photos !== null && photos <= fewPairs && photos < inQueue;
    if (driven) from = 'pairs p';
    where.push(driven ? inFolderFirst : inFolder);
    params.push(...pathRange(folderId));
  } else if (order === 'oldest' && queue === 'review' && inQueue > fewPairs) from = 'pairs p INDEXED BY pairs_recent';
  return { sql: `FROM ${from} WHERE ${where.join(' AND ')}`, params, withPath: false };
};
