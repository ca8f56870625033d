/** Decides stored verdicts again, a stretch at a time, so that other requests find their turn in between. */
import type { Cap, VerdictReason } from '../../contract/reason.ts';
import type { Calibration } from '../../policy/calibration.ts';
import { chooseThresholds, type PolicyStamp, type Thresholds } from '../../policy/policy.ts';
import { type NothingJudged, redecide, type StoredDecision } from '../../policy/redecide.ts';
import { gradeCode, hashBytes, labelAt, labelCode } from '../codes.ts';
import type { JudgedBy, NewVerdict, RedecidePlace, VerdictOperations } from '../types.ts';
import { atomic, type Db } from './connection.ts';
import { type PhotoVerdict, packVerdicts } from './pack-verdicts.ts';

type JudgingRow = {
  id: number;
  source: number;
  statement_id: number;
  model: string;
  version: string;
  adapter_version: string;
  precision: JudgedBy['precision'];
  device: JudgedBy['device'];
  degraded: number;
  hypothesis_hash: string;
  run_id: number | null;
  at: number;
  yes: number | null;
  no: number | null;
  flag: 'yes' | 'no' | null;
};
type Row = {
  photo_id: number;
  /** null where nothing was judged. */
  p_yes: number | null;
  p_no: number | null;
  p_maybe: number | null;
  caps: string | null;
  label: number;
  grade: number;
  confidence: number | null;
  wants: number;
  near: number;
  reason_code: string;
  reason_params: string;
  damaged: number;
  blurred: number;
  small: number;
};

const storedOf = (row: Row, caps: readonly Cap[]): StoredDecision => {
  const reason = { code: row.reason_code, params: JSON.parse(row.reason_params) } as VerdictReason;
  const { p_yes: yes, p_no: no, p_maybe: maybe } = row;
  // Without a p there are only these two reasons.
  if (yes === null || no === null || maybe === null) return { p: null, reason: reason as NothingJudged['reason'] };
  return { p: { yes, no, maybe }, caps, label: labelAt(row.label), reason };
};

const isSame = (row: Row, verdict: NewVerdict): boolean =>
  row.label === labelCode(verdict.label) &&
  row.grade === gradeCode(verdict.grade) &&
  row.wants === Number(verdict.wantsReview) &&
  row.near === Number(verdict.near) &&
  row.confidence === verdict.confidence;

/** A stored verdict as the policy decides it now; raw p and caps stay as they are. */
const decideRow = (
  judging: JudgingRow,
  row: Row,
  thresholds: Thresholds,
  calibration: Calibration | undefined,
): NewVerdict => {
  const caps = row.caps === null ? [] : (JSON.parse(row.caps) as readonly Cap[]);
  const stored = storedOf(row, caps);
  const decided = redecide(stored, thresholds, calibration, {
    damaged: row.damaged === 1,
    degraded: judging.degraded === 1,
    flagged: false,
    blurred: row.blurred === 1,
    small: row.small === 1,
  });
  return {
    ...decided,
    wantsReview: decided.wantsReview || decided.label === judging.flag,
    ...{ p: stored.p, caps, statement: judging.statement_id, hypothesisHash: judging.hypothesis_hash },
  };
};

/** Who judged, as it was, but under this stamp. */
const judgedAgain = (judging: JudgingRow, packSha256: string, policy: PolicyStamp): JudgedBy => ({
  run: judging.run_id,
  packId: judging.model,
  packVersion: judging.version,
  packSha256,
  adapterVersion: judging.adapter_version,
  precision: judging.precision,
  device: judging.device,
  degraded: judging.degraded === 1,
  policy,
  source: judging.source,
  at: judging.at,
});

export const redecideOperation = (
  db: Db,
  append: VerdictOperations['append'],
): Pick<VerdictOperations, 'redecide' | 'countDecidedOtherwise'> => {
  const otherwise = 'NOT (j.policy_version = ? AND j.policy_revision = ?)';
  const judgings = db.prepare<[number, Buffer, number, number], JudgingRow>(
    `SELECT j.id, coalesce(j.source_id, j.id) AS source, j.statement_id, m.name AS model, k.version, k.adapter_version,
       j.precision, j.device, j.degraded, j.hypothesis_hash, j.run_id, j.at, s.yes, s.no, s.flag
     FROM judgings j JOIN packs k ON k.id = j.pack_id JOIN models m ON m.id = k.model_id
     JOIN statements s ON s.id = j.statement_id
     WHERE j.id >= ? AND k.sha256 = ? AND ${otherwise} ORDER BY j.id`,
  );
  const rowsOf = db.prepare<[number, number, number], Row>(
    `SELECT v.*, ph.damaged, ph.blurred, ph.small FROM pairs p
     CROSS JOIN verdicts v ON v.judging_id = p.judging_id AND v.photo_id = p.photo_id
     CROSS JOIN photos ph ON ph.id = p.photo_id WHERE p.judging_id = ? AND p.photo_id > ?
     ORDER BY p.photo_id LIMIT ?`,
  );

  const decidedOtherwise = db
    .prepare<[Buffer, number, number], number>(
      `SELECT count(*) FROM packs k CROSS JOIN judgings j ON j.pack_id = k.id CROSS JOIN pairs p ON p.judging_id = j.id
       WHERE k.sha256 = ? AND ${otherwise}`,
    )
    .pluck();

  return {
    countDecidedOtherwise: (packSha256, { version, revision }) =>
      decidedOtherwise.get(hashBytes(packSha256), version, revision) ?? 0,
    redecide: atomic(db, ({ packSha256, stamp, policy, packThresholds, after, limit }) => {
      let seen = 0;
      let changed = 0;
      let last: RedecidePlace = after;
      const read: [JudgingRow, readonly Row[]][] = [];
      for (const judging of judgings.iterate(after[0], hashBytes(packSha256), stamp.version, stamp.revision)) {
        const from = judging.id === after[0] ? after[1] : 0;
        const rows = rowsOf.all(judging.id, from, limit - seen);
        read.push([judging, rows]);
        seen += rows.length;
        last = [judging.id, rows.at(-1)?.photo_id ?? from];
        if (seen >= limit) break;
      }
      for (const [judging, rows] of read) {
        const { yes, no } = judging;
        const thresholds = chooseThresholds({
          statement: { ...(yes !== null && { yes }), ...(no !== null && { no }) },
          riskControl: policy.riskControl ?? undefined,
          pack: packThresholds,
        });
        const { pack, statements } = policy.calibrations ?? {};
        const calibration = statements?.[judging.statement_id] ?? pack;
        const moved = rows.flatMap((row): readonly PhotoVerdict[] => {
          const verdict = decideRow(judging, row, thresholds, calibration);
          return isSame(row, verdict) ? [] : [{ photo: row.photo_id, verdict }];
        });
        changed += moved.length;
        if (moved.length > 0) append(judgedAgain(judging, packSha256, stamp), packVerdicts(moved));
      }
      return { after: seen >= limit ? last : null, seen, changed };
    }),
  };
};
