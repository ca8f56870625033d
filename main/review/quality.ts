/** How good verdicts are, as far as people's decisions tell. */

import type { QualityView, StatementQuality } from '../contract/review.ts';
import type { Judging } from '../judging/judging.ts';
import { scoredTruths } from '../policy/audit-policy.ts';
import { weightedShare, wilson } from '../policy/intervals.ts';
import { reliabilityOf } from '../policy/reliability.ts';
import type { AuditedPair, StatementCounts, Store } from '../store/types.ts';
import { readPolicy } from '../verdicts/local-policy.ts';
import { dependsOnPhoto } from './blank-control.ts';

const daysShown = 60;
const hourMs = 3_600_000;

const shareOf = (pairs: readonly AuditedPair[], holds: (pair: AuditedPair) => boolean) =>
  weightedShare(pairs.map((pair) => ({ holds: holds(pair), weight: 1 / pair.drawnWith })));

const ofStatement = (
  { id, text, set, labels }: StatementCounts,
  audited: readonly AuditedPair[],
  agreement: Readonly<{ reviews: number; agreed: number }> | undefined,
  depends: boolean | null,
): StatementQuality => {
  const pairs = labels.yes + labels.no + labels.maybe;
  return {
    statementId: id,
    statement: text,
    setName: set,
    pairs,
    maybe: pairs === 0 ? null : labels.maybe / pairs,
    audited: audited.length,
    precision: shareOf(
      audited.filter(({ label }) => label === 'yes'),
      ({ truth }) => truth === 'yes',
    ),
    recall: shareOf(
      audited.filter(({ truth }) => truth === 'yes'),
      ({ label }) => label === 'yes',
    ),
    agreement: agreement ? wilson(agreement.agreed, agreement.reviews) : null,
    dependsOnPhoto: depends,
  };
};

export const qualityView = async (store: Store, judging: Judging): Promise<QualityView> => {
  const { sha256 } = judging.pack;
  const [audited, policy, statements, agreement, byStatement, speed, queues] = await Promise.all([
    store.quality.audited(sha256),
    readPolicy(store, sha256),
    store.verdicts.countByStatement(),
    store.quality.agreementByDay(daysShown),
    store.quality.agreementByStatement(),
    store.quality.speed(),
    store.queues.counts({}),
  ]);
  const depends = await dependsOnPhoto(store, judging, statements);
  const auditedOf = Map.groupBy(audited, ({ statement }) => statement);
  const agreementOf = new Map(byStatement.map((row) => [row.statement, row]));
  const idOf = new Map(statements.map(({ statement, id }) => [String(statement), id]));
  const { calibrations } = policy;
  const labels = statements.reduce(
    (sum, row) => ({
      maybe: sum.maybe + row.labels.maybe,
      all: sum.all + row.labels.yes + row.labels.no + row.labels.maybe,
    }),
    { maybe: 0, all: 0 },
  );
  const own = Object.entries(calibrations?.statements ?? {}).map(([key, calibration]) => ({
    ...calibration,
    statementId: idOf.get(key) ?? null,
    reviews: auditedOf.get(Number(key))?.length ?? 0,
  }));
  return {
    audit: { reviews: audited.length, waiting: queues.queues.find(({ name }) => name === 'audit')?.count ?? 0 },
    risk: policy.plan,
    calibrations: calibrations
      ? [{ ...calibrations.pack, statementId: null, reviews: audited.length }, ...own.filter((row) => row.statementId)]
      : [],
    reliability: reliabilityOf(scoredTruths(audited, calibrations)),
    statements: statements.map((row) =>
      ofStatement(
        row,
        auditedOf.get(row.statement) ?? [],
        agreementOf.get(row.statement),
        depends.get(row.statement) ?? null,
      ),
    ),
    agreement: agreement.map(({ day, reviews, agreed }) => ({ day, reviews, agreed })),
    speed: speed && { ...speed, perHour: speed.medianMs === 0 ? 0 : hourMs / speed.medianMs },
    maybe: labels.all === 0 ? null : labels.maybe / labels.all,
  };
};
