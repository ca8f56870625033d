/** Pairs as people see them: the joins behind a `VerdictItem`. */
import type { Device, Precision } from '../../contract/labels.ts';
import type { VerdictReason } from '../../contract/reason.ts';
import { gradeAt, labelAt, labelOrNull } from '../codes.ts';
import type { VerdictItem } from '../types.ts';
import { idText, verdictId } from './ids.ts';
import { hasMark } from './pair-state.ts';

export type ItemRow = {
  photo_id: number;
  statement_id: number;
  model_id: number;
  judging_id: number;
  label: number;
  verdict_label: number;
  grade: number;
  confidence: number | null;
  wants: number;
  marks: number;
  path: string | null;
  photo: Buffer;
  statement: Buffer;
  text: string;
  set_name: string;
  seed: Buffer;
  p_yes: number | null;
  p_no: number | null;
  p_maybe: number | null;
  lean: number | null;
  reason_code: string;
  reason_params: string;
  model: string;
  precision: string;
  device: string;
  at: number;
};

/** The path that a photo goes by: the first that is alive, else the last it had. */
export const shownPath =
  '(SELECT path FROM photo_paths WHERE photo_id = p.photo_id ORDER BY alive DESC, CASE WHEN alive THEN path END, id DESC LIMIT 1)';

/** Columns and joins for pairs `p`; `path` is the expression of the path. */
export const itemColumns = (path: string = shownPath): string => `
  p.photo_id, p.statement_id, p.model_id, p.judging_id, p.label, p.verdict_label, p.grade, p.confidence, p.wants,
  p.marks, ${path} AS path, ph.uuid AS photo, s.uuid AS statement, s.text, t.name AS set_name, j.seed, v.p_yes, v.p_no,
  v.p_maybe, v.lean, v.reason_code, v.reason_params, m.name AS model, j.precision, j.device, j.at`;
export const itemJoins = `
  CROSS JOIN photos ph ON ph.id = p.photo_id CROSS JOIN judgings j ON j.id = p.judging_id
  CROSS JOIN verdicts v ON v.judging_id = p.judging_id AND v.photo_id = p.photo_id
  CROSS JOIN statements s ON s.id = p.statement_id CROSS JOIN statement_sets t ON t.id = s.set_id
  CROSS JOIN models m ON m.id = p.model_id`;

export const toItem = (row: ItemRow): VerdictItem => ({
  id: verdictId(row.seed, row.photo_id),
  photo: idText(row.photo),
  path: row.path ?? '',
  statement: row.text,
  statementId: idText(row.statement),
  set: row.set_name,
  label: labelAt(row.verdict_label),
  effectiveLabel: labelAt(row.label),
  lean: labelOrNull(row.lean),
  p: row.p_yes === null ? null : { yes: row.p_yes, no: row.p_no ?? 0, maybe: row.p_maybe ?? 0 },
  confidence: row.confidence,
  grade: gradeAt(row.grade),
  reason: { code: row.reason_code, params: JSON.parse(row.reason_params) } as VerdictReason,
  damaged: hasMark(row.marks, 'damaged'),
  degraded: hasMark(row.marks, 'degraded'),
  flagged: hasMark(row.marks, 'flagged'),
  wantsReview: row.wants === 1,
  reviewed: hasMark(row.marks, 'reviewed'),
  model: row.model,
  precision: row.precision as Precision,
  device: row.device as Device,
  at: row.at,
});
