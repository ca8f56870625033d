/**
 * What Vouch tells of itself while it works: one map of events, each with its fields and how the log writes it. No event
 * holds the text of a statement; a path is only in those about settings, watched folders and sidecars.
 */
import { z } from 'zod';
import { degradationCauses, degradationCodes } from './degradation.ts';
import { deviceSchema, precisionSchema } from './labels.ts';
import { precisionChoiceSchema } from './precision.ts';

/** null: the log leaves it out, since it comes too often; others may listen. */
export type LogLevel = 'info' | 'warn' | 'error' | null;

const event = <S extends z.ZodRawShape>(level: LogLevel, fields: S) => ({
  level,
  fields: z.strictObject(fields).readonly(),
});

const count = z.int().nonnegative();
const ms = z.number().nonnegative();
const time = z.int();
const hostSchema = z.enum(['image', 'inference']);
const failed = { error: z.string() };
const loaded = { device: deviceSchema, precision: precisionSchema, inputSize: count };
const timing = { batch: count, queueMs: ms, runMs: ms, totalMs: ms };
const passedOver = z
  .strictObject({
    device: deviceSchema,
    reason: z.string(),
    cause: z.enum(['no_backend', 'no_libraries']).optional(),
  })
  .readonly();
const rung = {
  rung: z.int().nullable(),
  code: z.enum(degradationCodes),
  cause: z.enum(degradationCauses),
  since: time,
  why: z.string(),
};

export const telemetryEvents = {
  /** A failure that no person caused; `error` with its stack. */
  defect: event('error', { during: z.string(), ...failed }),
  settings_broken: event('warn', { setAside: z.string() }),
  settings_not_applied: event('error', failed),

  engine_started: event('info', {
    model: z.string(),
    ...loaded,
    deviceIndex: count,
    requested: z.union([z.literal('auto'), deviceSchema]),
    fallbackReason: z.string().nullable(),
    passedOver: z.array(passedOver).readonly(),
    proof: z
      .strictObject({
        nodesOnDevice: count,
        nodesInAll: count,
        probeMs: ms,
        agreesWithCpu: z.boolean(),
        maxDifference: z.number(),
      })
      .readonly(),
    precisionReason: z.enum(['asked', 'not_measured', 'measured']),
    runtime: z.string(),
    graphs: z.enum(['original', 'built', 'cached']),
    threads: count,
    lanes: count,
    adapter: z.strictObject({ kind: z.enum(['separable', 'joint']), version: z.string() }).readonly(),
  }),
  /** The inference host came up again. `downMs`: since the one before it ended. */
  host_restart: event('info', { host: hostSchema, restarts: count, downMs: ms.nullable(), ...loaded }),
  host_down: event('warn', {
    host: hostSchema,
    how: z.enum(['crashed', 'hung', 'killed', 'recycled', 'stopped']),
    stderr: z.string(),
  }),
  /** A host held more memory than it may, and is replaced. */
  over_memory: event('warn', { host: hostSchema, rssBytes: count }),
  /** `ceiling`: what an automatic batch may hold from now on; null: it is fixed. */
  out_of_memory: event('warn', { ceiling: count.nullable() }),
  /** So many photos were judged in fp32, because the chosen precision gave an output that was not finite. */
  not_finite: event('warn', { photos: count }),
  /** The engine does something less well than asked; `recover`: as asked again. */
  degrade: event('warn', rung),
  recover: event('info', { ...rung, lastedMs: ms }),
  /** From the inference host, every second and when nothing is left for it to do. Sums are since it was loaded, over all lanes. */
  heartbeat: event(null, {
    queued: count,
    running: count,
    batch: count,
    batches: count,
    samples: count,
    largestBatch: count,
    busyMs: ms,
    gapMs: ms,
    rssBytes: count,
    fellBack: count,
  }),
  /** A result that came after its caller was told that it had timed out or was cancelled. */
  late_result: event(null, { ...loaded, ...timing }),
  precision_chosen: event('info', { model: z.string(), device: deviceSchema, choice: precisionChoiceSchema }),
  precisions_not_tried: event('warn', failed),

  run_started: event('info', {
    run: z.string(),
    kind: z.enum(['scan', 'watch']),
    model: z.string(),
    statements: count,
  }),
  /** Hit rates are shares of what was asked for that was there already; null where nothing was asked for. */
  run_finished: event('info', {
    run: z.string(),
    found: count,
    judged: count,
    cached: count,
    quarantined: count,
    evidenceHitRate: z.number().nullable(),
    statementHitRate: z.number().nullable(),
  }),
  run_failed: event('error', { run: z.string(), ...failed }),
  /** A file was put into quarantine, or is still not to be judged. */
  quarantine: event('info', { reason: z.string() }),

  watch_state: event('info', {
    folder: z.string(),
    mode: z.enum(['starting', 'watching', 'offline', 'polling']),
    limit: z.enum(['watches', 'files']).optional(),
  }),
  watch_failed: event('error', failed),
  tagging_failed: event('error', failed),
  sidecars_not_written: event('warn', {
    failed: z.array(z.strictObject({ sidecar: z.string(), problem: z.string() }).readonly()).readonly(),
  }),
  /** Stored verdicts could not all be decided again; the next start goes on with it. */
  not_decided_again: event('error', failed),
  queues_not_counted: event('warn', failed),
  not_notified: event('warn', failed),

  /** `route`: as it is written in the routes; null for none of them. */
  http: event('info', { method: z.string(), route: z.string().nullable(), status: z.int(), ms }),
  http_failed: event('error', failed),

  /** One request to the store: how long it waited for its turn, and how long it ran. */
  store_request: event(null, { request: z.string(), waitedMs: ms, ranMs: ms, ok: z.boolean() }),
} as const satisfies Readonly<Record<string, Readonly<{ level: LogLevel; fields: z.ZodType }>>>;

export type EventName = keyof typeof telemetryEvents;
export type EventFields<E extends EventName> = z.infer<(typeof telemetryEvents)[E]['fields']>;
/** `at`: UTC milliseconds. */
export type TelemetryEvent<E extends EventName = EventName> = {
  readonly [Name in E]: Readonly<{ event: Name; at: number; fields: EventFields<Name> }>;
}[E];

export const eventNames = Object.keys(telemetryEvents) as readonly EventName[];
