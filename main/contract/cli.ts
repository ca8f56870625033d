/**
 * The one JSON document that each command prints with `--json`. Labels are lower case, times are ISO 8601 in UTC, ids
 * are UUIDs; `reason` is an English sentence and `reasonCode` what to program against.
 */
import { z } from 'zod';
import { deviceSchema, gradeSchema, labelSchema, precisionSchema, probabilitiesSchema } from './labels.ts';
import { prescreenSchema, quarantineReasonSchema } from './photo.ts';
import { capSchema, explanationSchema, verdictReasonSchema } from './reason.ts';

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const ms = z.number().nonnegative();
const perSecond = z.number().nonnegative();
const time = z.iso.datetime();
const path = z.string();

const codesOf = <T extends readonly z.ZodReadonly<z.ZodObject<{ code: z.ZodLiteral<string> }>>[]>(options: T) =>
  options.map((option) => option.unwrap().shape.code.value);
const verdictReasonCode = z.enum(codesOf(verdictReasonSchema.options));
const quarantineReasonCode = z.enum(codesOf(quarantineReasonSchema.options));

/** How many pairs got each label. */
const labelCounts = z.strictObject({ yes: count, no: count, maybe: count });
/** null where nothing was inferred. */
const latency = z.strictObject({ mean: ms, p50: ms, p95: ms, p99: ms }).nullable();
const model = z.strictObject({ id: z.string(), version: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

const deviceProofSchema = z.strictObject({
  nodesOnDevice: count,
  nodesInAll: count,
  probeMs: ms,
  agreesWithCpu: z.boolean(),
  maxDifference: z.number(),
});
/** `used` and `proof` are null where no session was needed: everything came from the cache. */
const device = z.strictObject({
  requested: z.union([z.literal('auto'), deviceSchema]),
  used: deviceSchema.nullable(),
  proof: deviceProofSchema.nullable(),
  fallbackReason: z.string().nullable().optional(),
  /** Which of several such devices. */
  index: count.nullable().optional(),
  /** Devices that were tried before, each with the reason why it cannot be used. */
  passedOver: z.array(z.string()).readonly().optional(),
});
const precision = precisionSchema.nullable();

export const scanDocumentSchema = z.strictObject({
  run: z.string(),
  /** found = judged + cached + quarantined; `cached` photos needed no inference. */
  photos: z.strictObject({ found: count, judged: count, cached: count, quarantined: count, ignored: count }),
  verdicts: labelCounts,
  quarantined: z.array(z.strictObject({ path, reason: z.string(), reasonCode: quarantineReasonCode })),
  seconds: z.number().nonnegative(),
  photosPerSecond: perSecond,
  pairsPerSecond: perSecond,
  latencyMs: latency,
  batch: z.strictObject({ mode: z.enum(['auto', 'fixed']), mean: z.number().nullable(), max: count.nullable() }),
  device,
  precision,
  model,
  /** What the engine did less well than asked during the run; `until` is null where it still does. */
  degradation: z.array(z.strictObject({ code: z.string(), cause: z.string(), since: time, until: time.nullable() })),
});

/** p after calibration and caps; p, lean and confidence are null for a flat photo and for one that timed out. */
export const judgeDocumentSchema = z.strictObject({
  label: labelSchema,
  lean: labelSchema.nullable(),
  confidence: share.nullable(),
  grade: gradeSchema,
  p: probabilitiesSchema.nullable(),
  caps: z.array(capSchema).readonly(),
  reason: z.string(),
  reasonCode: verdictReasonCode,
  explanation: explanationSchema.nullable(),
  sent: z.strictObject({
    parts: z.array(z.string()).readonly(),
    tokens: count,
    removed: z.array(z.string()).readonly(),
    replaced: z.array(z.object({ from: z.string(), to: z.string() }).readonly()).readonly(),
    cut: z.array(z.string()).readonly(),
  }),
  prescreen: prescreenSchema.nullable(),
  timingMs: z.strictObject({ decode: ms, prescreen: ms, encode: ms, judge: ms, total: ms }),
  device,
  precision,
  model,
});
export type JudgeDocument = z.infer<typeof judgeDocumentSchema>;

/** What `watch --json` prints, one document a line, as it happens. */
export const watchLineSchema = z.discriminatedUnion('event', [
  /** How a folder is followed now. `fix` is what to do where it is not watched as it could be. */
  z.strictObject({
    event: z.literal('folder'),
    path,
    state: z.enum(['starting', 'watching', 'polling', 'offline']),
    fix: z.string().nullable(),
    at: time,
  }),
  /** A photo has new verdicts, or lies at a new place. */
  z.strictObject({
    event: z.literal('photo'),
    photo: z.string(),
    path,
    damaged: z.boolean(),
    verdicts: z.array(
      z.strictObject({
        id: z.string(),
        statement: z.string(),
        label: labelSchema,
        effectiveLabel: labelSchema,
        confidence: share.nullable(),
        grade: gradeSchema,
        reason: z.string(),
        reasonCode: verdictReasonCode,
        wantsReview: z.boolean(),
      }),
    ),
    at: time,
  }),
  z.strictObject({
    event: z.literal('quarantined'),
    path,
    reason: z.string(),
    reasonCode: quarantineReasonCode,
    at: time,
  }),
  z.strictObject({ event: z.literal('gone'), path, at: time }),
  /** A piece of work is finished. */
  z.strictObject({
    event: z.literal('done'),
    photos: z.strictObject({ judged: count, quarantined: count, wantReview: count }),
    at: time,
  }),
  /** Work failed, and is tried again. */
  z.strictObject({ event: z.literal('failed'), error: z.string(), errorCode: z.string(), at: time }),
]);
export type WatchLine = z.infer<typeof watchLineSchema>;

const verdictItemSchema = z.strictObject({
  id: z.string(),
  photo: z.string(),
  path,
  statement: z.string(),
  label: labelSchema,
  effectiveLabel: labelSchema,
  lean: labelSchema.nullable(),
  confidence: share.nullable(),
  grade: gradeSchema,
  reason: z.string(),
  reasonCode: verdictReasonCode,
  damaged: z.boolean(),
  reviewed: z.boolean(),
  /** Id of the pack. */
  model: z.string(),
  precision: precisionSchema,
  device: deviceSchema,
  at: time,
});
/** `total` counts every match, whatever the limit. */
export const verdictsDocumentSchema = z.strictObject({ total: count, items: z.array(verdictItemSchema) });
export type VerdictsDocument = z.infer<typeof verdictsDocumentSchema>;

const kindFigures = z.strictObject({
  pairs: count,
  accuracy: share.nullable(),
  coverage: share.nullable(),
  accuracyDecided: share.nullable(),
});
/** Figures are null where their denominator is empty. */
export const evalFiguresSchema = z.strictObject({
  pairs: count,
  photos: count,
  /** Three-way. */
  accuracy: share.nullable(),
  /** Share labelled yes or no. */
  coverage: share.nullable(),
  accuracyDecided: share.nullable(),
  /** Share of the pairs that are not yes that got yes; falseNo likewise. */
  falseYes: share.nullable(),
  falseNo: share.nullable(),
  auc: share.nullable(),
  ece: share.nullable(),
  /** confusion[true label][given label]. */
  confusion: z.strictObject({ yes: labelCounts, no: labelCounts, maybe: labelCounts }),
  byKind: z.record(z.string(), kindFigures),
});
export type EvalFigures = z.infer<typeof evalFiguresSchema>;
export const evalDocumentSchema = evalFiguresSchema.extend({
  seconds: z.number().nonnegative(),
  device,
  precision,
  model,
});

/** `queue` prints what `verdicts` does. */
export const reviewDocumentSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['confirm', 'override', 'skip', 'undo']),
  photo: z.string(),
  statement: z.string().nullable(),
  label: labelSchema.nullable(),
  note: z.string().nullable(),
  effectiveLabel: labelSchema.nullable(),
  /** Where flags were taken back: whether it is flagged now (its statement then null for a whole photo). Else null. */
  flagged: z.boolean().nullable(),
  /** Decided (or taken back) together; the fields above are the first one's. */
  pairs: z.int().positive(),
  at: time,
});
export type ReviewDocument = z.infer<typeof reviewDocumentSchema>;

export const exportDocumentSchema = z.strictObject({ files: z.array(path), rows: count });

export const searchDocumentSchema = z.strictObject({ items: z.array(z.strictObject({ path, score: z.number() })) });

const load = {
  meanMs: ms,
  p50: ms,
  p95: ms,
  p99: ms,
  perSecond,
  /** These two are null where they cannot be read. */
  rssMb: z.number().nullable(),
  deviceMemoryMb: z.number().nullable(),
  failures: count,
};
/** Of a server there are no batches and no knee: how it batches is its own affair. */
export const benchDocumentSchema = z.strictObject({
  batches: z.array(z.strictObject({ size: z.int().positive(), ...load })),
  concurrency: z.array(z.strictObject({ clients: z.int().positive(), ...load })),
  knee: z.int().positive().nullable(),
  provider: z.string(),
});
export type BenchDocument = z.infer<typeof benchDocumentSchema>;

export const doctorDocumentSchema = z.strictObject({
  ok: z.boolean(),
  /** `fix` is what to do about it, null where nothing is wrong. */
  checks: z.array(
    z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string(), fix: z.string().nullable() }),
  ),
});

/** Of `backup` and of `restore`. */
export const backupDocumentSchema = z.strictObject({ file: path, bytes: count });

/** Exit codes: 2 is wrong usage, 3 no model or device, 4 `--strict`, 5 the store; 130 is set by an interrupt. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  noModel: 3,
  strict: 4,
  store: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
