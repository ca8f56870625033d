/** What decisions tell about verdicts. */
import type { Label, Probabilities } from '../contract/labels.ts';
import type { Cap } from '../contract/reason.ts';
import type { PhotoKey, StatementKey } from './types.ts';

/** A shown pair with a standing blind audit review, and what the pack says of it now. */
export type AuditedPair = Readonly<{
  photo: PhotoKey;
  statement: StatementKey;
  /** What the person said. */
  truth: Label;
  /** The chance that some draw of the audit led to a review of it. */
  drawnWith: number;
  /** Raw. */
  p: Probabilities;
  caps: readonly Cap[];
  /** The current verdict's. */
  label: Label;
  /** The statement has thresholds of its own, which go before risk control's. */
  ownThresholds: boolean;
}>;

/** Standing confirms and overrides; `agreed`: with the verdict that they were made on. */
export type Agreement = Readonly<{ reviews: number; agreed: number }>;

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
