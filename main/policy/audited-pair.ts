/** What an audit tells of one pair. */
import type { Label, Probabilities } from '../contract/labels.ts';
import type { Cap } from '../contract/reason.ts';

/** A shown pair with a standing blind audit review, and what the pack says of it now. */
export type AuditedPair = Readonly<{
  /** Keys of the store. */
  photo: number;
  statement: number;
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
