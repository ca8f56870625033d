/** Whether the store is sound: SQLite's view, and its own rules. */

import type { CheckResult } from '../types.ts';
import type { Db } from './connection.ts';
import { integrityProblems } from './connection.ts';

/** Each query counts rows that must not exist. */
const rules: Readonly<Record<string, string>> = {
  'pairs whose current verdict is of another photo, statement or pack': `SELECT count(*) FROM pairs p
    LEFT JOIN judgings j ON j.id = p.judging_id LEFT JOIN packs k ON k.id = j.pack_id
    LEFT JOIN verdicts v ON v.judging_id = p.judging_id AND v.photo_id = p.photo_id
    WHERE v.photo_id IS NULL OR j.statement_id IS NOT p.statement_id OR k.model_id IS NOT p.model_id`,
  'verdicts whose pair has no current verdict': `SELECT count(*) FROM verdicts v JOIN judgings j ON j.id = v.judging_id
    JOIN packs k ON k.id = j.pack_id WHERE NOT EXISTS (SELECT 1 FROM pairs p
      WHERE p.photo_id = v.photo_id AND p.statement_id = j.statement_id AND p.model_id = k.model_id)`,
  'counts that differ from their pairs': `SELECT count(*) FROM (
    SELECT statement_id, model_id, label, grade, wants, shown, marks, sum(n) AS n FROM (
      SELECT statement_id, model_id, label, grade, wants, shown, marks, n FROM tallies
      UNION ALL SELECT statement_id, model_id, label, grade, wants, shown, marks, -1 FROM pairs
    ) GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0)`,
  'photos whose paths and state disagree': `SELECT count(*) FROM photos
    WHERE alive <> EXISTS (SELECT 1 FROM photo_paths h WHERE h.photo_id = photos.id AND h.alive = 1)`,
  'pairs shown that should be hidden, or the reverse': `SELECT count(*) FROM pairs p
    JOIN photos ph ON ph.id = p.photo_id JOIN statements s ON s.id = p.statement_id
    JOIN statement_sets t ON t.id = s.set_id
    WHERE p.shown <> (ph.alive AND s.archived_at IS NULL AND t.model_id = p.model_id)`,
  'photos alive at once with the same bytes': `SELECT count(*) FROM (
    SELECT 1 FROM photos WHERE alive = 1 GROUP BY file_hash HAVING count(*) > 1)`,
};

export const checkStore = (db: Db): CheckResult => {
  const foreign = (db.pragma('foreign_key_check') as unknown[]).length;
  const problems = [
    ...integrityProblems(db, true),
    ...(foreign > 0 ? [`${foreign} rows refer to nothing`] : []),
    ...Object.entries(rules).flatMap(([rule, sql]) => {
      const count = db.prepare<[], number>(sql).pluck().get() ?? 0;
      return count > 0 ? [`${count} ${rule}`] : [];
    }),
  ];
  return { ok: problems.length === 0, problems };
};
