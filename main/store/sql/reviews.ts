/** People's decisions: appended, never changed; an undo is one more row. */
import type { Precision } from '../../contract/labels.ts';
import { gradeAt, labelAt, labelCode, labelOrNull } from '../codes.ts';
import { fail } from '../errors.ts';
import type { NewReview, ReviewOperations, StoredReview } from '../types.ts';
import { atomic, type Db } from './connection.ts';
import { idBytes, idText, newId, splitVerdictId, verdictId } from './ids.ts';
import { pairKeeper } from './pairs.ts';
import { shownPath } from './verdict-rows.ts';

type Row = {
  id: number;
  uuid: Buffer;
  group_uuid: Buffer;
  kind: StoredReview['kind'];
  photo_id: number;
  statement_id: number;
  photo: Buffer;
  path: string | null;
  statement: Buffer;
  text: string;
  label: number | null;
  note: string | null;
  reviewer: string;
  blind: number;
  drawn_with: number | null;
  took_ms: number | null;
  judging_id: number | null;
  seed: Buffer | null;
  verdict_label: number | null;
  verdict_grade: number | null;
  verdict_confidence: number | null;
  model: string | null;
  version: string | null;
  precision: string | null;
  before_label: number | null;
  after_label: number | null;
  undone: Buffer | null;
  at: number;
};
type Target = {
  photo_id: number;
  statement_id: number;
  judging_id: number;
  label: number;
  verdict_label: number;
  grade: number;
  confidence: number | null;
};

const toRecord = (row: Row): StoredReview => ({
  id: idText(row.uuid),
  kind: row.kind,
  group: idText(row.group_uuid),
  photo: idText(row.photo),
  path: row.path ?? '',
  statementId: idText(row.statement),
  statement: row.text,
  label: labelOrNull(row.label),
  note: row.note,
  reviewer: row.reviewer,
  blind: row.blind === 1,
  drawnWith: row.drawn_with,
  tookMs: row.took_ms,
  verdict:
    row.seed === null || row.verdict_label === null || row.verdict_grade === null
      ? null
      : {
          id: verdictId(row.seed, row.photo_id),
          label: labelAt(row.verdict_label),
          grade: gradeAt(row.verdict_grade),
          confidence: row.verdict_confidence,
          model: row.model ?? '',
          version: row.version ?? '',
          precision: row.precision as Precision,
        },
  before: labelOrNull(row.before_label),
  after: labelOrNull(row.after_label),
  undoes: row.undone && idText(row.undone),
  at: row.at,
});

const select = `SELECT r.*, ph.uuid AS photo, ${shownPath.replaceAll('p.photo_id', 'r.photo_id')} AS path,
    s.uuid AS statement, s.text, j.seed, j.precision, k.version, m.name AS model, u.uuid AS undone
  FROM reviews r JOIN photos ph ON ph.id = r.photo_id JOIN statements s ON s.id = r.statement_id
  LEFT JOIN judgings j ON j.id = r.judging_id LEFT JOIN packs k ON k.id = j.pack_id
  LEFT JOIN models m ON m.id = k.model_id LEFT JOIN reviews u ON u.id = r.undoes`;

const columns = [
  'uuid',
  'group_uuid',
  'kind',
  'photo_id',
  'statement_id',
  'label',
  'note',
  'reviewer',
  'blind',
  'drawn_with',
  'took_ms',
  'judging_id',
  'verdict_label',
  'verdict_grade',
  'verdict_confidence',
  'before_label',
  'after_label',
  'undoes',
  'at',
] as const;
type NewRow = Readonly<Record<Exclude<(typeof columns)[number], 'uuid'>, Buffer | string | number | null>>;

export const reviewOperations = (db: Db): ReviewOperations => {
  const pairs = pairKeeper(db);
  // A decision is about the verdict that was in sight, even where a newer one has come in between.
  const target = db.prepare<[number, Buffer], Target>(
    `SELECT p.photo_id, p.statement_id, v.judging_id, p.label, v.label AS verdict_label, v.grade, v.confidence
     FROM judgings j JOIN packs k ON k.id = j.pack_id JOIN verdicts v ON v.judging_id = j.id AND v.photo_id = ?
     JOIN pairs p ON p.photo_id = v.photo_id AND p.statement_id = j.statement_id AND p.model_id = k.model_id
     WHERE j.seed = ?`,
  );
  const effective = db
    .prepare<[number, number], number>(
      `SELECT p.label FROM pairs p JOIN statements s ON s.id = p.statement_id JOIN statement_sets t ON t.id = s.set_id
       WHERE p.photo_id = ? AND p.statement_id = ? ORDER BY p.model_id = t.model_id DESC LIMIT 1`,
    )
    .pluck();
  const add = db.prepare(`INSERT INTO reviews (${columns}) VALUES (${columns.map((name) => `:${name}`)})`);
  const byRow = db.prepare<[number | bigint], Row>(`${select} WHERE r.id = ?`);
  const drawnWith = db
    .prepare<[number, number], number>('SELECT drawn_with FROM audits WHERE photo_id = ? AND statement_id = ?')
    .pluck();
  const standing = "kind <> 'undo' AND NOT EXISTS (SELECT 1 FROM reviews u WHERE u.undoes = r.id)";
  const latestGroup = db
    .prepare<[string | null], Buffer>(
      `SELECT group_uuid FROM reviews r WHERE ${standing} AND reviewer = coalesce(?, reviewer) ORDER BY id DESC LIMIT 1`,
    )
    .pluck();
  const groupRows = db.prepare<[Buffer], Row>(`${select} WHERE r.group_uuid = ? AND r.${standing} ORDER BY r.id`);
  const skips = db.prepare<[], Row>(`${select} WHERE r.kind = 'skip' AND r.${standing} ORDER BY r.id`);

  const since = db.prepare<[Buffer | null, number], Row>(
    `${select} WHERE r.id > coalesce((SELECT id FROM reviews WHERE uuid = ?), 0) ORDER BY r.id LIMIT ?`,
  );

  const insert = (row: NewRow): StoredReview => {
    const { lastInsertRowid } = add.run({ ...row, uuid: newId() });
    pairs.refresh(Number(row.photo_id), Number(row.statement_id));
    return toRecord(byRow.get(lastInsertRowid)!);
  };

  const labelOf = (review: NewReview, found: Target): number | null => {
    if (review.kind === 'skip') return null;
    if (review.kind === 'confirm') return found.verdict_label;
    return labelCode(review.label ?? fail('unexpected', { error: 'an override needs a label' }));
  };

  const decide = (id: string, review: NewReview, group: Buffer): StoredReview => {
    const parts = splitVerdictId(id);
    const found = parts && target.get(parts.photo, parts.seed);
    if (!found) return fail('not_found', { verdict: id });
    const label = labelOf(review, found);
    return insert({
      group_uuid: group,
      kind: review.kind,
      photo_id: found.photo_id,
      statement_id: found.statement_id,
      label,
      note: review.note ?? null,
      reviewer: review.reviewer,
      blind: Number(review.blind ?? false),
      drawn_with: review.blind ? (drawnWith.get(found.photo_id, found.statement_id) ?? null) : null,
      took_ms: review.tookMs ?? null,
      judging_id: found.judging_id,
      verdict_label: found.verdict_label,
      verdict_grade: found.grade,
      verdict_confidence: found.confidence,
      before_label: found.label,
      after_label: label ?? found.label,
      undoes: null,
      at: review.at,
    });
  };

  const takeBack = (row: Row, reviewer: string, group: Buffer, at: number): StoredReview =>
    insert({
      group_uuid: group,
      kind: 'undo',
      photo_id: row.photo_id,
      statement_id: row.statement_id,
      label: null,
      note: null,
      reviewer,
      blind: 0,
      drawn_with: null,
      took_ms: null,
      judging_id: row.judging_id,
      verdict_label: row.verdict_label,
      verdict_grade: row.verdict_grade,
      verdict_confidence: row.verdict_confidence,
      before_label: effective.get(row.photo_id, row.statement_id) ?? null,
      after_label: pairs.labelWithout(row.photo_id, row.statement_id, row.id),
      undoes: row.id,
      at,
    });

  return {
    add: atomic(db, (targets, review): readonly StoredReview[] => {
      const group = newId();
      return targets.map(({ verdict }) => decide(verdict, review, group));
    }),
    undo: atomic(db, ({ reviewer, mine = false, at }): readonly StoredReview[] => {
      const group = latestGroup.get(mine ? reviewer : null);
      if (!group) return [];
      const undoGroup = newId();
      return groupRows.all(group).map((row) => takeBack(row, reviewer, undoGroup, at));
    }),
    resetSkips: atomic(db, (reviewer, at): number => {
      const group = newId();
      return skips.all().map((row) => takeBack(row, reviewer, group, at)).length;
    }),
    since: ({ limit, after }) => since.all(after === undefined ? null : idBytes(after), limit).map(toRecord),
    list: ({ photo, limit, before }) => {
      const conditions: string[] = [];
      const params: unknown[] = [];
      if (photo !== undefined) {
        conditions.push('ph.uuid = ?');
        params.push(idBytes(photo));
      }
      if (before !== undefined) {
        conditions.push('r.id < (SELECT id FROM reviews WHERE uuid = ?)');
        params.push(idBytes(before));
      }
      const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
      return db
        .prepare<unknown[], Row>(`${select} ${where} ORDER BY r.id DESC LIMIT ?`)
        .all(...params, limit)
        .map(toRecord);
    },
  };
};
