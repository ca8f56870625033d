/** Keeps `pairs` in step: points them at new verdicts, and works a pair's state out again after a review or a flag. */

import { type Label, labels } from '../../contract/labels.ts';
import { gradeAt, labelAt, labelCode, labelOrNull } from '../codes.ts';
import type { PhotoKey, StatementKey } from '../types.ts';
import type { Db } from './connection.ts';
import { newId } from './ids.ts';
import { marks, type PairFlag, type PairReview, type PairState, pairState } from './pair-state.ts';

type ReviewRow = {
  id: number;
  kind: 'confirm' | 'override' | 'skip' | 'undo';
  label: number | null;
  undoes: number | null;
  judging_id: number | null;
  verdict_label: number | null;
  verdict_grade: number | null;
  audit: number;
};

const toPairReview = (row: ReviewRow): PairReview => {
  const context = {
    id: String(row.id),
    seq: row.id,
    judging: row.judging_id,
    verdictLabel: labelOrNull(row.verdict_label),
    verdictGrade: row.verdict_grade === null ? null : gradeAt(row.verdict_grade),
    audit: row.audit === 1,
  };
  if (row.kind === 'undo') return { ...context, kind: 'undo', undoes: String(row.undoes) };
  if (row.kind === 'skip') return { ...context, kind: 'skip' };
  return { ...context, kind: row.kind, label: labelAt(row.label ?? 0) };
};

type PairRow = {
  model_id: number;
  judging_id: number;
  verdict_label: number;
  grade: number;
  wants: number;
  degraded: number;
  near: number;
  drawn: number;
  damaged: number;
};

export type PairKeeper = Readonly<{
  /** Makes a judging's verdicts current where they may be; returns for how many. */
  adopt: (judging: number, statement: StatementKey, model: number) => number;
  /** Works out the state of a pair again, under every pack. */
  refresh: (photo: PhotoKey, statement: StatementKey) => void;
  /** The same for all pairs of a photo. */
  refreshPhoto: (photo: PhotoKey) => void;
  /** The label (a code) that a pair would have without this review; null where it has no verdict. */
  labelWithout: (photo: PhotoKey, statement: StatementKey, review: number) => number | null;
}>;

/** Who made a flag that a statement asked for; its reason is the label. */
export const flaggedByStatement = 'statement';

export const pairKeeper = (db: Db): PairKeeper => {
  const take = db.prepare(
    `INSERT INTO pairs (photo_id, statement_id, model_id, judging_id, label, verdict_label, grade, confidence, rank,
       wants, shown, marks)
     SELECT v.photo_id, :statement, :model, v.judging_id, v.label, v.label, v.grade, v.confidence,
       CASE WHEN v.p_yes IS NULL THEN 0 WHEN :degraded THEN 1 ELSE 2 END,
       v.wants OR (:flag IS v.label), ph.alive AND :active,
       ph.damaged * ${marks.damaged} + :degraded * ${marks.degraded} + (:flag IS v.label) * ${marks.flagged}
         + v.near * ${marks.near}
     FROM verdicts v JOIN photos ph ON ph.id = v.photo_id WHERE v.judging_id = :judging
     ON CONFLICT (photo_id, statement_id, model_id) DO UPDATE SET judging_id = excluded.judging_id,
       label = excluded.label, verdict_label = excluded.verdict_label, grade = excluded.grade,
       confidence = excluded.confidence, rank = excluded.rank, wants = excluded.wants, shown = excluded.shown,
       marks = excluded.marks
     WHERE excluded.rank >= pairs.rank`,
  );
  const aboutStatement = db.prepare<[number], { active: number; model_id: number; flag: 'yes' | 'no' | null }>(
    `SELECT s.archived_at IS NULL AS active, t.model_id, s.flag
     FROM statements s JOIN statement_sets t ON t.id = s.set_id WHERE s.id = ?`,
  );
  const isDegraded = db.prepare<[number], number>('SELECT degraded FROM judgings WHERE id = ?').pluck();
  // Photos of this judging about which a person (or a flag) has said something.
  const spokenOf = db
    .prepare<[Readonly<{ judging: number; statement: number }>], number>(
      `SELECT photo_id FROM verdicts WHERE judging_id = :judging AND photo_id IN (SELECT photo_id FROM reviews WHERE statement_id = :statement)
       UNION SELECT photo_id FROM flags WHERE (statement_id = :statement OR statement_id IS NULL)
         AND photo_id IN (SELECT photo_id FROM verdicts WHERE judging_id = :judging)
       UNION SELECT photo_id FROM audits WHERE statement_id = :statement
         AND photo_id IN (SELECT photo_id FROM verdicts WHERE judging_id = :judging)`,
    )
    .pluck();
  const hasOtherPack = db.prepare<[number, number], number>(
    'SELECT 1 FROM tallies WHERE statement_id = ? AND model_id <> ? AND n > 0 LIMIT 1',
  );
  const certain = `(${labels.indexOf('yes')}, ${labels.indexOf('no')})`;
  // Both sides of a contradiction are marked, whichever came last. Decided pairs are settled.
  const comparePacks = db.prepare<[Readonly<{ judging: number; statement: number }>]>(
    `UPDATE pairs SET marks = (marks & ~${marks.packsDiffer}) | ${marks.packsDiffer} * EXISTS (
       SELECT 1 FROM pairs o WHERE o.photo_id = pairs.photo_id AND o.statement_id = pairs.statement_id
         AND o.model_id <> pairs.model_id AND o.verdict_label <> pairs.verdict_label
         AND o.verdict_label IN ${certain} AND pairs.verdict_label IN ${certain})
     WHERE statement_id = :statement AND photo_id IN (SELECT photo_id FROM verdicts WHERE judging_id = :judging)
       AND marks & ${marks.reviewed} = 0`,
  );
  const current = db.prepare<[number, number], PairRow>(
    `SELECT p.model_id, coalesce(j.source_id, j.id) AS judging_id, p.verdict_label, p.grade, v.wants, j.degraded, v.near, ph.damaged,
       EXISTS (SELECT 1 FROM audits a WHERE a.photo_id = p.photo_id AND a.statement_id = p.statement_id) AS drawn
     FROM pairs p JOIN verdicts v ON v.judging_id = p.judging_id AND v.photo_id = p.photo_id
     JOIN judgings j ON j.id = p.judging_id JOIN photos ph ON ph.id = p.photo_id
     WHERE p.photo_id = ? AND p.statement_id = ?`,
  );
  const reviewsOf = db.prepare<[number, number], ReviewRow>(
    `SELECT r.id, r.kind, r.label, r.undoes, coalesce(j.source_id, j.id) AS judging_id, r.verdict_label, r.verdict_grade,
       r.blind AND r.drawn_with IS NOT NULL AS audit
     FROM reviews r LEFT JOIN judgings j ON j.id = r.judging_id
     WHERE r.photo_id = ? AND r.statement_id = ? ORDER BY r.id`,
  );
  const flagsOf = db.prepare<[number, number], { is_set: number; after_review: number; statement_id: number | null }>(
    `SELECT is_set, after_review, statement_id FROM flags
     WHERE photo_id = ? AND (statement_id = ? OR statement_id IS NULL) ORDER BY id DESC`,
  );
  // A statement flags a pair once, and none that a person has decided.
  const toFlag = db
    .prepare<[Readonly<{ judging: number; statement: number; label: number }>], number>(
      `SELECT p.photo_id FROM pairs p WHERE p.judging_id = :judging AND p.verdict_label = :label
         AND p.marks & ${marks.reviewed} = 0 AND NOT EXISTS (SELECT 1 FROM flags f
           WHERE f.photo_id = p.photo_id AND f.statement_id = :statement AND f.made_by = '${flaggedByStatement}')`,
    )
    .pluck();
  const addFlag = db.prepare(
    `INSERT INTO flags (uuid, photo_id, statement_id, is_set, reason, made_by, after_review, at)
     SELECT ?, ?, ?, 1, ?, '${flaggedByStatement}', (SELECT coalesce(max(id), 0) FROM reviews), at FROM judgings WHERE id = ?`,
  );
  const update = db.prepare(
    'UPDATE pairs SET label = ?, wants = ?, marks = ? WHERE photo_id = ? AND statement_id = ? AND model_id = ?',
  );
  const statementsOf = db
    .prepare<[number], number>('SELECT DISTINCT statement_id FROM pairs WHERE photo_id = ?')
    .pluck();

  const lastFlags = (photo: PhotoKey, statement: StatementKey): readonly PairFlag[] => {
    const rows = flagsOf.all(photo, statement);
    const last = [rows.find((row) => row.statement_id === null), rows.find((row) => row.statement_id !== null)];
    return last.flatMap((row) => (row ? { set: row.is_set === 1, afterReview: row.after_review } : []));
  };

  const stateOf = (
    row: PairRow,
    rows: readonly PairRow[],
    reviews: readonly PairReview[],
    flags: readonly PairFlag[],
  ): PairState =>
    pairState({
      otherPacks: rows.filter((other) => other !== row).map((other) => labelAt(other.verdict_label)),
      drawn: row.drawn === 1,
      verdict: {
        judging: row.judging_id,
        label: labelAt(row.verdict_label),
        grade: gradeAt(row.grade),
        wants: row.wants === 1,
        degraded: row.degraded === 1,
        near: row.near === 1,
      },
      damaged: row.damaged === 1,
      reviews,
      flags,
    });

  /** Returns the photos whose pairs were flagged. */
  const flagPairs = (judging: number, statement: StatementKey, label: Label): readonly PhotoKey[] => {
    const photos = toFlag.all({ judging, statement, label: labelCode(label) });
    for (const photo of photos) addFlag.run(newId(), photo, statement, label, judging);
    return photos;
  };

  const refresh = (photo: PhotoKey, statement: StatementKey): void => {
    const reviews = reviewsOf.all(photo, statement).map(toPairReview);
    const flags = lastFlags(photo, statement);
    const rows = current.all(photo, statement);
    for (const row of rows) {
      const state = stateOf(row, rows, reviews, flags);
      update.run(labelCode(state.label), Number(state.wants), state.marks, photo, statement, row.model_id);
    }
  };

  return {
    adopt: (judging, statement, model) => {
      const about = aboutStatement.get(statement);
      const { changes } = take.run({
        judging,
        statement,
        model,
        degraded: isDegraded.get(judging) ?? 0,
        active: Number(about?.active === 1 && about.model_id === model),
        flag: about?.flag ? labelCode(about.flag) : null,
      });
      if (hasOtherPack.get(statement, model)) comparePacks.run({ judging, statement });
      const spoken = new Set(spokenOf.all({ judging, statement }));
      for (const photo of spoken) refresh(photo, statement);
      const flagged = about?.flag ? flagPairs(judging, statement, about.flag) : [];
      // The other new flags are in what `take` wrote.
      for (const photo of flagged) if (spoken.has(photo)) refresh(photo, statement);
      return changes;
    },
    refresh,
    refreshPhoto: (photo) => {
      for (const statement of statementsOf.all(photo)) refresh(photo, statement);
    },
    labelWithout: (photo, statement, review) => {
      const reviews = reviewsOf.all(photo, statement).filter((row) => row.id !== review);
      const rows = current.all(photo, statement);
      const row = rows[0];
      return row ? labelCode(stateOf(row, rows, reviews.map(toPairReview), []).label) : null;
    },
  };
};
