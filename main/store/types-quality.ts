/** What decisions tell about verdicts. */
import type { AuditedPair } from '../policy/audited-pair.ts';
import type { StatementKey } from './keys.ts';

export type { AuditedPair };

/** Standing confirms and overrides; `agreed`: with the verdict that they were made on. */
type Agreement = Readonly<{ reviews: number; agreed: number }>;

export type QualityOperations = {
  audited(packSha256: string): readonly AuditedPair[];
  /** By UTC day, the latest `days` that have any, oldest first. */
  agreementByDay(days: number): readonly (Agreement & Readonly<{ day: string }>)[];
  agreementByStatement(): readonly (Agreement & Readonly<{ statement: StatementKey }>)[];
  /** Of decisions that say how long they took. */
  speed(): Readonly<{ medianMs: number; of: number }> | null;
  /** Raw p(yes) of up to `limit` of a statement's current verdicts. */
  scores(statement: StatementKey, limit: number): readonly number[];
};
