/** Decides stored verdicts again, a stretch at a time, so that other requests find their turn in between. */
import type { Cap, VerdictReason } from '../../contract/reason.ts';
import { chooseThresholds } from '../../policy/policy.ts';
import { redecide } from '../../policy/redecide.ts';
import { gradeCode, hashBytes, labelAt, labelCode } from '../codes.ts';
import type { JudgedBy, RedecidePlace, VerdictOperations } from '../types.ts';
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
  p_yes: number;
  p_no: number;
  p_maybe: number;
  caps: string | null;
  label: number;
  grade: number;
  confidence: number;
  wants: number;
  near: number;
  reason_code: string;
  reason_params: string;
  damaged: number;
  blurred: number;
  small: number;
};

export const redecideOperation = (
  db: Db,
  append: VerdictOperations['append'],
): Pick<VerdictOperations, 'redecide' | 'countOfPack'> => {
  const judgings = db.prepare<[number, Buffer, number], JudgingRow>(
    `SELECT j.id, coalesce(j.source_id, j.id) AS source, j.statement_id, m.name AS model, k.version, k.adapter_version,
       j.precision, j.device, j.degraded, j.hypothesis_hash, j.run_id, j.at, s.yes, s.no, s.flag
     FROM judgings j JOIN packs k ON k.id = j.pack_id JOIN models m ON m.id = k.model_id
     JOIN statements s ON s.id = j.statement_id
     WHERE j.id >= ? AND k.sha256 = ? AND j.policy_version <> ? ORDER BY j.id`,
  );
  const rowsOf = db.prepare<[number, number, number], Row>(
    `SELECT v.*, ph.damaged, ph.blurred, ph.small FROM pairs p
     CROSS JOIN verdicts v ON v.judging_id = p.judging_id AND v.photo_id = p.photo_id
     CROSS JOIN photos ph ON ph.id = p.photo_id WHERE p.judging_id = ? AND p.photo_id > ? AND v.p_yes IS NOT NULL
     ORDER BY p.photo_id LIMIT ?`,
  );

  const ofPack = db
    .prepare<[Buffer], number>(
      'SELECT coalesce(sum(n), 0) FROM tallies WHERE model_id IN (SELECT model_id FROM packs WHERE sha256 = ?)',
    )
    .pluck();

  return {
    countOfPack: (packSha256) => ofPack.get(hashBytes(packSha256)) ?? 0,
    redecide: atomic(db, ({ packSha256, policyVersion, policy, packThresholds, after, limit }) => {
      let seen = 0;
      let changed = 0;
      let last: RedecidePlace = after;
      const read: [JudgingRow, readonly Row[]][] = [];
      for (const judging of judgings.iterate(after[0], hashBytes(packSha256), policyVersion)) {
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
          const caps = row.caps === null ? [] : (JSON.parse(row.caps) as readonly Cap[]);
          const p = { yes: row.p_yes, no: row.p_no, maybe: row.p_maybe };
          const reason = { code: row.reason_code, params: JSON.parse(row.reason_params) } as VerdictReason;
          const marks = {
            damaged: row.damaged === 1,
            degraded: judging.degraded === 1,
            flagged: false,
            blurred: row.blurred === 1,
            small: row.small === 1,
          };
          const stored = { p, caps, label: labelAt(row.label), reason };
          const { p: _, ...decided } = redecide(stored, thresholds, calibration, marks);
          const verdict = { ...decided, wantsReview: decided.wantsReview || decided.label === judging.flag };
          const same =
            row.label === labelCode(verdict.label) &&
            row.grade === gradeCode(verdict.grade) &&
            row.wants === Number(verdict.wantsReview) &&
            row.near === Number(verdict.near) &&
            row.confidence === verdict.confidence;
          const { statement_id: statement, hypothesis_hash: hypothesisHash } = judging;
          return same ? [] : [{ photo: row.photo_id, verdict: { ...verdict, p, caps, statement, hypothesisHash } }];
        });
        changed += moved.length;
        if (moved.length === 0) continue;
        append(
          {
            run: judging.run_id,
            packId: judging.model,
            packVersion: judging.version,
            packSha256,
            adapterVersion: judging.adapter_version,
            precision: judging.precision,
            device: judging.device,
            degraded: judging.degraded === 1,
            policyVersion,
            source: judging.source,
            at: judging.at,
          },
          packVerdicts(moved),
        );
      }
      return { after: seen >= limit ? last : null, seen, changed };
    }),
  };
};
