/** Counts of shown pairs, read from `tallies`. */

import { type Label, labels } from '../../contract/labels.ts';
import type { LabelCounts } from '../../contract/views.ts';
import { labelAt } from '../codes.ts';
import type { StatementCounts, StatementKey, VerdictOperations } from '../types.ts';
import type { Db } from './connection.ts';
import { idText } from './ids.ts';
import { marks } from './pair-state.ts';
import { pathRange } from './under.ts';

type LabelRow = { label: number; n: number };
type StatementRow = {
  id: number;
  uuid: Buffer;
  text: string;
  name: string;
  yes: number;
  no: number;
  maybe: number;
  wants: number;
  reviewed: number;
  flagged: number;
};

const toCounts = (rows: readonly LabelRow[]): LabelCounts => {
  const counts: Record<Label, number> = { yes: 0, no: 0, maybe: 0 };
  for (const { label, n } of rows) counts[labelAt(label)] += n;
  return counts;
};

const sumWhere = (condition: string): string => `coalesce(sum(CASE WHEN ${condition} THEN y.n ELSE 0 END), 0)`;
const marked = (mark: keyof typeof marks): string => sumWhere(`y.marks & ${marks[mark]}`);
const labelled = (label: Label): string => sumWhere(`y.label = ${labels.indexOf(label)}`);
const among = (statements: readonly StatementKey[]): string => statements.map((key) => Math.trunc(key)).join();

export const verdictCounts = (db: Db): Pick<VerdictOperations, 'countByLabel' | 'countByStatement' | 'countUnder'> => {
  const byStatement = db.prepare<[], StatementRow>(
    `SELECT s.id, s.uuid, s.text, t.name, ${labelled('yes')} AS yes, ${labelled('no')} AS no,
       ${labelled('maybe')} AS maybe, ${sumWhere('y.wants')} AS wants, ${marked('reviewed')} AS reviewed,
       ${marked('flagged')} AS flagged
     FROM statements s JOIN statement_sets t ON t.id = s.set_id
     LEFT JOIN tallies y ON y.statement_id = s.id AND y.model_id = t.model_id AND y.shown = 1
     WHERE s.archived_at IS NULL GROUP BY s.id ORDER BY t.name, s.position, s.id`,
  );
  const countByLabel = (statements?: readonly StatementKey[]): LabelCounts =>
    toCounts(
      db
        .prepare<[], LabelRow>(
          `SELECT label, sum(n) AS n FROM tallies WHERE shown = 1
           ${statements ? `AND statement_id IN (${among(statements)})` : ''} GROUP BY label`,
        )
        .all(),
    );

  return {
    countByLabel,
    countByStatement: () =>
      byStatement.all().map((row) => ({
        statement: row.id,
        id: idText(row.uuid),
        text: row.text,
        set: row.name,
        labels: { yes: row.yes, no: row.no, maybe: row.maybe },
        wantsReview: row.wants,
        reviewed: row.reviewed,
        flagged: row.flagged,
      })) satisfies readonly StatementCounts[],
    countUnder: (folders, statements) => {
      if (folders.length === 0) return toCounts([]);
      const below = folders.map(() => 'path = ? OR (path >= ? AND path < ?)').join(' OR ');
      const ranges = folders.flatMap(pathRange);
      const elsewhere = db
        .prepare(`SELECT 1 FROM photo_paths WHERE alive = 1 AND NOT (${below}) LIMIT 1`)
        .get(...ranges);
      if (elsewhere === undefined) return countByLabel(statements);
      return toCounts(
        db
          .prepare<unknown[], LabelRow>(
            `SELECT p.label, count(*) AS n
             FROM (SELECT DISTINCT photo_id FROM photo_paths WHERE alive = 1 AND (${below})) h
             CROSS JOIN pairs p ON p.photo_id = h.photo_id
             WHERE p.shown = 1 AND p.statement_id IN (${among(statements)}) GROUP BY p.label`,
          )
          .all(...ranges),
      );
    },
  };
};
