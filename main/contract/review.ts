/** What the review screens ask for and show. Times are UTC milliseconds, shares and errors in [0, 1]. */
import { z } from 'zod';
import type { Device, Grade, Label, Precision, Probabilities } from './labels.ts';
import { labelSchema } from './labels.ts';
import type { Prescreen } from './photo.ts';
import type { Cap, Explanation, VerdictReason } from './reason.ts';
import type { NormalisedStatement } from './statement.ts';

/**
 * `review`: all that want one; `threshold`: confidence within .1 of what decides; `flagged`: spot-check; `audit`: a
 * blind random sample; `disagreements`: another pack, or a later verdict than a person's decision, says otherwise.
 */
export const queueNames = ['review', 'threshold', 'flagged', 'damaged', 'degraded', 'audit', 'disagreements'] as const;
export const queueNameSchema = z.enum(queueNames);
export type QueueName = z.infer<typeof queueNameSchema>;

/** Most uncertain first, oldest verdict first, or by path. The audit keeps its random order whatever is asked. */
export const queueOrders = ['uncertain', 'oldest', 'folder'] as const;
export const queueOrderSchema = z.enum(queueOrders);
export type QueueOrder = z.infer<typeof queueOrderSchema>;

/** Which part of a queue; all given conditions hold. An empty list of statements means any. */
export const queueScopeSchema = z
  .strictObject({
    setId: z.string().min(1).max(4096).optional(),
    statementIds: z.array(z.uuid()).max(1000).optional(),
    folderId: z.string().min(1).max(4096).optional(),
  })
  .readonly();
export type QueueScope = z.infer<typeof queueScopeSchema>;

/** Characters of a note, or of a flag's reason. */
export const longestNote = 10_000;
const note = z.string().max(longestNote).optional();

/** A confirm takes the verdict's label; an override names one. */
export const decisionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('confirm'), note }),
  z.strictObject({ kind: z.literal('override'), label: labelSchema, note }),
  z.strictObject({ kind: z.literal('skip'), note }),
]);
export type Decision = z.infer<typeof decisionSchema>;

/** Where `atLeast` is true there are more than `count`. */
export type QueueCount = Readonly<{ name: QueueName; count: number; atLeast: boolean }>;

/** Of everything, or of a scope; `reviewed` counts pairs with a standing decision. */
export type QueuesView = Readonly<{ queues: readonly QueueCount[]; reviewed: number; skipped: number }>;

/** Why a pair is in spot-check; `by` null: the statement's own rule. `wholePhoto`: not about one statement. */
export type FlagView = Readonly<{ reason: string; by: string | null; wholePhoto: boolean; at: number }>;

/** One pair to decide on. */
export type QueueItem = Readonly<{
  verdictId: string;
  photoId: string;
  path: string;
  width: number;
  height: number;
  statementId: string;
  statement: string;
  setName: string;
  /** The verdict's own label; `effectiveLabel` heeds reviews. */
  label: Label;
  effectiveLabel: Label;
  lean: Label | null;
  confidence: number | null;
  grade: Grade;
  /** After calibration and caps; null when nothing was measured. */
  p: Probabilities | null;
  reason: VerdictReason;
  damaged: boolean;
  degraded: boolean;
  flagged: boolean;
  reviewed: boolean;
  wantsReview: boolean;
  flags: readonly FlagView[];
  model: string;
  precision: Precision;
  device: Device;
  at: number;
}>;

/** `next` continues after the last item; null at the end. */
export type QueuePage = Readonly<{ items: readonly QueueItem[]; next: string | null; total: number; atLeast: boolean }>;

/** One row of the audit trail, which only grows. */
export type TrailEntry = Readonly<{
  id: string;
  kind: 'confirm' | 'override' | 'skip' | 'undo';
  /** Decisions made together have one group, and are undone together. */
  groupId: string;
  photoId: string;
  path: string;
  statementId: string;
  statement: string;
  label: Label | null;
  note: string | null;
  reviewer: string;
  blind: boolean;
  /** The probability with which an audit had drawn the pair. */
  drawnWith: number | null;
  tookMs: number | null;
  /** The verdict it was made on. */
  verdict: Readonly<{
    id: string;
    label: Label;
    grade: Grade;
    confidence: number | null;
    model: string;
    version: string;
    precision: Precision;
  }> | null;
  /** Effective labels. */
  before: Label | null;
  after: Label | null;
  /** Of an undo: the decision that it takes back. */
  undoes: string | null;
  at: number;
}>;
export type TrailPage = Readonly<{ items: readonly TrailEntry[]; next: string | null }>;

/** What was taken back: decisions as the trail has them, and on how many pairs flags were set or cleared. */
export type Undone = Readonly<{ decisions: readonly TrailEntry[]; flags: number }>;

/** A photo (or any image file) against a text, now. Nothing of it is stored. */
export type SpotCheckView = Readonly<{
  label: Label;
  lean: Label | null;
  confidence: number | null;
  grade: Grade;
  /** After calibration and caps; null when nothing was measured. */
  p: Probabilities | null;
  caps: readonly Cap[];
  reason: VerdictReason;
  explanation: Explanation | null;
  sent: Omit<NormalisedStatement, 'language'>;
  prescreen: Prescreen | null;
  timingMs: Readonly<{ decode: number; prescreen: number; encode: number; judge: number; total: number }>;
}>;

/** A share with its Wilson 95 % interval, and out of how many. */
export type Share = Readonly<{ value: number; low: number; high: number; of: number }>;

/** What risk control would do, or does, for an accepted error. */
export type RiskPlan = Readonly<{
  /** The error accepted for automatic decisions. */
  target: number;
  /** Audit reviews that it rests on, and how many more it takes before any threshold can be tried. */
  reviews: number;
  missing: number;
  /** null where no threshold keeps the target. */
  thresholds: Readonly<{ yes: number; no: number }> | null;
  /** The share of pairs that will be decided automatically; null without thresholds. */
  decided: Share | null;
  /** The error found in the audit among those; null without thresholds. */
  error: Share | null;
  /** Why no threshold keeps the target, though there are enough reviews to try; else null. */
  unkept: Readonly<{
    /** The surest of the audited pairs, which any threshold would decide, and how many of those are decided wrong. */
    surest: number;
    wrong: number;
    /** The least error in whole percents that these reviews would let be kept; null up to a half. */
    least: number | null;
  }> | null;
}>;

/** How far stored verdicts are decided again. `etaMs`: null until there is enough to say. */
export type DecidingProgress = Readonly<{
  done: number;
  total: number;
  etaMs: number | null;
  /** It was cancelled: what was decided is brought back to how it was. */
  goingBack: boolean;
}>;

/** One bin of a reliability diagram: mean p(yes) and the share that was yes, of `size` audit reviews. */
export type ReliabilityBin = Readonly<{ predicted: number; observed: number; size: number }>;
type CalibrationView = Readonly<{
  slope: number;
  offset: number;
  /** Of the statement; null for the pack's own. */
  statementId: string | null;
  reviews: number;
}>;

/** `of` of `precision`: audited pairs that got YES; of `recall`: audited pairs that are yes. null without any. */
export type StatementQuality = Readonly<{
  statementId: string;
  statement: string;
  setName: string;
  pairs: number;
  /** Share of its verdicts that are MAYBE; null without any. */
  maybe: number | null;
  audited: number;
  precision: Share | null;
  recall: Share | null;
  /** Of decisions with the model's answer in sight or not, the share that agreed with the verdict. */
  agreement: Share | null;
  /** false: its answer is nearly the same on a blank image; null: not measured. */
  dependsOnPhoto: boolean | null;
}>;

export type QualityView = Readonly<{
  /** Blind audit reviews that stand, and pairs drawn that still wait for one. */
  audit: Readonly<{ reviews: number; waiting: number }>;
  /** The risk control at work; null when none is set. */
  risk: RiskPlan | null;
  calibrations: readonly CalibrationView[];
  /** Over the audit, with the calibration at work; null without audit reviews. */
  reliability: Readonly<{ bins: readonly ReliabilityBin[]; ece: number }> | null;
  statements: readonly StatementQuality[];
  /** By UTC day, oldest first, the last 60 days that have any. */
  agreement: readonly Readonly<{ day: string; reviews: number; agreed: number }>[];
  /** Over decisions that say how long they took; null without any. */
  speed: Readonly<{ medianMs: number; perHour: number; of: number }> | null;
  /** Share of all verdicts that are MAYBE; null without any. */
  maybe: number | null;
}>;

/** What a search looked at; the photos are asked for by the filter `fits`. */
export type SearchView = Readonly<{
  /** Photos with evidence that were looked at. */
  searched: number;
  /** Photos that have none yet, flat ones left out. */
  unjudged: number;
}>;
