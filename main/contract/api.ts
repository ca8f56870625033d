/**
 * The typed API of the app: one map from area and method to what a call takes (a zod schema, checked in the main
 * process) and gives. The preload, the handlers and the renderer all follow from it.
 *
 * A renderer calls `await window.vouch.results.page({...})` and gets a `Result`; calls never reject.
 */
import { z } from 'zod';
import type { BenchRecord } from './bench.ts';
import type { Area, MethodName, Topic } from './channels.ts';
import { type ExportOutcome, type ExportPlan, type ExportProgress, exportFormatSchema } from './export.ts';
import { folderChangeSchema } from './folder.ts';
import { id, ref } from './ids.ts';
import type { ShellCommand } from './menu.ts';
import type { Result } from './result.ts';
import { resultFilterSchema, resultSortSchema } from './result-filter.ts';
import {
  type DecidingProgress,
  decisionSchema,
  type FlagView,
  longestNote,
  type QualityView,
  type QueuePage,
  type QueuesView,
  queueNameSchema,
  queueOrderSchema,
  queueScopeSchema,
  type RiskPlan,
  type SearchView,
  type SpotCheckView,
  type TrailEntry,
  type TrailPage,
  type Undone,
} from './review.ts';
import { engineChangeSchema, type Settings, settingsChangeSchema } from './settings.ts';
import { statementEntrySchema } from './statement.ts';
import type {
  AppInfo,
  CameraCount,
  EngineState,
  FolderRemoval,
  FolderView,
  Page,
  PhotoDetail,
  QuarantineItem,
  ResultCounts,
  ResultItem,
  Run,
  StartState,
  StatementPreview,
  StatementSetView,
  TagProblems,
} from './views.ts';

/** `output` carries a type only; it is never set. */
export type Method<I extends z.ZodType = z.ZodType, O = unknown> = Readonly<{ input: I; output: O }>;
const gives = <O>(): O => undefined as O;

const none = z.undefined();
const path = z.string().min(1).max(4096);
/** As long as a path may make it. */
const cursor = z.string().max(32_768).nullable().default(null);
const limit = z.int().min(1).max(500).default(100);

const recheckSchema = z.enum(['all', 'degraded', 'precision', 'quarantined']);

const runInput = z.strictObject({ runId: id });
/** Pairs that meet a filter of the results screen; with `reviewed`, only those that a person has decided. */
const exportInput = z.strictObject({
  format: exportFormatSchema,
  reviewed: z.boolean().default(false),
  filter: resultFilterSchema.default({}),
});
const verdictIds = z.array(id).min(1).max(10_000);
/** An accepted error; at least one in a thousand, at most one in two. */
const riskTarget = z.number().min(0.001).max(0.5);
/** An image file or a photo of the library. */
const imageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('file'), path }),
  z.strictObject({ kind: z.literal('photo'), photoId: id }),
]);

export const api = {
  app: {
    info: { input: none, output: gives<AppInfo>() },
  },
  start: {
    /** Answers once the library is open, or cannot be opened. */
    state: { input: none, output: gives<StartState>() },
    /** Goes on where the library could not be opened: with the newest backup, with nothing, or by trying again. */
    open: {
      input: z.strictObject({ from: z.enum(['backup', 'nothing', 'again']) }),
      output: gives<StartState>(),
    },
  },
  settings: {
    get: { input: none, output: gives<Settings>() },
    /** Changes what it names, at once and for good. */
    set: { input: settingsChangeSchema, output: gives<Settings>() },
  },
  library: {
    folders: { input: none, output: gives<readonly FolderView[]>() },
    /** The system's folder dialog; an empty list when it was closed without a choice. */
    pick: { input: none, output: gives<readonly string[]>() },
    /** Registers folders (a file stands for its folder); those already registered come back as they are. */
    add: { input: z.strictObject({ paths: z.array(path).min(1).max(100) }), output: gives<readonly FolderView[]>() },
    /** Changes what it names. `setId` null: all statements. Photos that the folder no longer takes leave the library. */
    configure: {
      input: z.strictObject({
        folderId: ref,
        watched: z.boolean().optional(),
        setId: ref.nullable().optional(),
        settings: folderChangeSchema.optional(),
      }),
      output: gives<FolderView>(),
    },
    /** What `remove` would take out, to ask with. */
    removal: { input: z.strictObject({ folderId: ref }), output: gives<FolderRemoval>() },
    remove: { input: z.strictObject({ folderId: ref }), output: gives<FolderRemoval>() },
    /** Starts a run over the folders (all when none are named) with all active statements. */
    scan: {
      input: z.strictObject({ folderIds: z.array(ref).max(1000).default([]), recheck: recheckSchema.optional() }),
      output: gives<Run>(),
    },
    pause: { input: runInput, output: gives<Run>() },
    resume: { input: runInput, output: gives<Run>() },
    /** Finished work is kept. */
    cancel: { input: runInput, output: gives<Run>() },
    quarantine: {
      input: z.strictObject({ folderId: ref.optional(), cursor, limit }),
      output: gives<Page<QuarantineItem>>(),
    },
    /** Judges quarantined files again (all when none are named). */
    retry: { input: z.strictObject({ ids: z.array(ref).max(1000).default([]) }), output: gives<Run>() },
    /** Asks where to write the quarantine as CSV; null when the dialog was closed. */
    exportQuarantine: { input: none, output: gives<Readonly<{ path: string; rows: number }> | null>() },
    tagProblems: { input: none, output: gives<TagProblems>() },
    /** Tries again to tag the photos that could not be tagged. */
    retryTags: { input: none, output: gives<null>() },
    /** Shows a folder, a photo or a quarantined file in the system's file manager. */
    reveal: {
      input: z.strictObject({ kind: z.enum(['folder', 'photo', 'quarantined']), id: ref }),
      output: gives<null>(),
    },
  },
  statements: {
    sets: {
      input: z.strictObject({ archived: z.boolean().default(false) }),
      output: gives<readonly StatementSetView[]>(),
    },
    /**
     * Makes or changes a set. Statements are matched by text: unchanged ones keep their id, new ones are added, ones
     * that are missing are archived. A null `id` makes a new set.
     */
    save: {
      input: z.strictObject({
        id: ref.nullable(),
        name: z.string().trim().min(1).max(200),
        statements: z.array(statementEntrySchema).max(1000),
      }),
      output: gives<StatementSetView>(),
    },
    /** Archives a set or a statement, or brings it back; verdicts stay. */
    archive: {
      input: z.strictObject({ kind: z.enum(['set', 'statement']), id: ref, archived: z.boolean() }),
      output: gives<null>(),
    },
    /** Asks for YAML files and makes each its set, by name; an empty list when the dialog was closed. */
    import: { input: none, output: gives<readonly StatementSetView[]>() },
    /** Asks where to write a set as YAML; null when the dialog was closed. */
    export: { input: z.strictObject({ setId: ref }), output: gives<Readonly<{ path: string }> | null>() },
    preview: { input: z.strictObject({ text: z.string().max(2000) }), output: gives<StatementPreview>() },
  },
  results: {
    page: {
      input: z.strictObject({
        filter: resultFilterSchema.default({}),
        sort: resultSortSchema.default({ by: 'judgedAt', direction: 'descending' }),
        /** One item for photos that look alike: the one that comes first. */
        grouped: z.boolean().default(false),
        cursor,
        limit,
      }),
      output: gives<Page<ResultItem>>(),
    },
    /** What photos were taken with, by name. */
    cameras: { input: none, output: gives<readonly CameraCount[]>() },
    counts: { input: z.strictObject({ filter: resultFilterSchema.default({}) }), output: gives<ResultCounts>() },
    photo: { input: z.strictObject({ photoId: id }), output: gives<PhotoDetail>() },
  },
  review: {
    /** Counts of all queues, kept by the store; of everything unless a scope is given. */
    queues: { input: z.strictObject({ scope: queueScopeSchema.default({}) }), output: gives<QueuesView>() },
    page: {
      input: z.strictObject({
        queue: queueNameSchema,
        scope: queueScopeSchema.default({}),
        order: queueOrderSchema.default('uncertain'),
        cursor,
        limit,
      }),
      output: gives<QueuePage>(),
    },
    /**
     * One decision on one or many pairs, undone as one. `blind`: the model's answer was hidden. `tookMs`: from showing
     * the pair to deciding.
     */
    decide: {
      input: z.strictObject({
        verdictIds,
        decision: decisionSchema,
        blind: z.boolean().default(false),
        tookMs: z.int().min(0).max(86_400_000).optional(),
      }),
      output: gives<readonly TrailEntry[]>(),
    },
    /** Takes back the reviewer's latest decisions and flags, in the order they were made; fewer when there are fewer. */
    undo: {
      input: z.strictObject({ steps: z.int().min(1).max(1000).default(1) }),
      output: gives<Undone>(),
    },
    /** The audit trail, newest first; of one photo when given. */
    history: { input: z.strictObject({ photoId: id.optional(), cursor, limit }), output: gives<TrailPage>() },
    /** Asks where to write the whole audit trail, oldest first; null when the dialog was closed. */
    exportLog: {
      input: z.strictObject({ format: z.enum(['csv', 'jsonl']) }),
      output: gives<Readonly<{ path: string; rows: number }> | null>(),
    },
    /** Sends pairs to spot-check, or takes them off it; a null statement means the whole photo. */
    flag: {
      input: z.strictObject({
        targets: z
          .array(z.strictObject({ photoId: id, statementId: id.nullable() }))
          .min(1)
          .max(10_000),
        set: z.boolean(),
        reason: z.string().trim().max(longestNote).default(''),
      }),
      output: gives<null>(),
    },
    /** All that was said in flags about a photo, newest first. */
    flags: {
      input: z.strictObject({ photoId: id }),
      output: gives<readonly (FlagView & Readonly<{ statementId: string | null; set: boolean }>)[]>(),
    },
    /** Draws so many more pairs at random into the audit. */
    drawAudit: {
      input: z.strictObject({ count: z.int().min(1).max(10_000) }),
      output: gives<Readonly<{ drawn: number; waiting: number }>>(),
    },
    /** Takes back every skip; gives how many. */
    resetSkips: { input: none, output: gives<number>() },
    /** Judges any image against a text; stores nothing. */
    judgeOne: {
      input: z.strictObject({ image: imageSchema, text: z.string().max(2000) }),
      output: gives<SpotCheckView>(),
    },
    /** Keeps a spot check: the statement goes to the set `adhoc` and the photo's verdict on it is stored. */
    keep: {
      input: z.strictObject({ image: imageSchema, text: z.string().max(2000) }),
      output: gives<Readonly<{ photoId: string; verdictId: string }>>(),
    },
  },
  quality: {
    summary: { input: none, output: gives<QualityView>() },
    /** What risk control would do for an accepted error; changes nothing. */
    risk: { input: z.strictObject({ target: riskTarget }), output: gives<RiskPlan>() },
    /** Sets (or, with null, ends) risk control and decides all verdicts again, without inference. */
    setRisk: { input: z.strictObject({ target: riskTarget.nullable() }), output: gives<QualityView>() },
  },
  search: {
    /** Looks at all cached evidence for photos that fit a text; the filter `fits` of the results then shows them. */
    byText: { input: z.strictObject({ text: z.string().trim().min(1).max(500) }), output: gives<SearchView>() },
  },
  export: {
    /** What `run` would do; writes nothing. */
    plan: { input: exportInput, output: gives<ExportPlan>() },
    /** Asks where to write (sidecars lie beside their photos) and does so; null when the dialog was closed. */
    run: { input: exportInput, output: gives<ExportOutcome | null>() },
  },
  engine: {
    state: { input: none, output: gives<EngineState>() },
    /** Writes the engine settings and applies them; a running scan goes on with them. */
    configure: { input: engineChangeSchema, output: gives<EngineState>() },
    /** The last benchmark of what the engine runs now, on this machine; null: none yet. */
    bench: { input: none, output: gives<BenchRecord | null>() },
    /** Measures batch sizes and clients, which takes about a minute; `run_active` while photos are judged. */
    measure: { input: none, output: gives<BenchRecord>() },
  },
  runs: {
    /** The run in progress, else the last one of this session, else null. */
    current: { input: none, output: gives<Run | null>() },
  },
} as const satisfies { [A in Area]: { [M in MethodName<A>]: Method } };
export type Api = typeof api;

export type InputOf<A extends Area, M extends keyof Api[A]> =
  Api[A][M] extends Method<infer I, unknown> ? z.input<I> : never;
/** Input as a handler gets it: checked, with defaults filled in. */
type CheckedInputOf<A extends Area, M extends keyof Api[A]> =
  Api[A][M] extends Method<infer I, unknown> ? z.output<I> : never;
export type OutputOf<A extends Area, M extends keyof Api[A]> = Api[A][M] extends Method<z.ZodType, infer O> ? O : never;

/** What each topic of the event channel carries. */
export type Events = Readonly<{
  /** At most ten a second while a run is active, and at each change of its status. */
  progress: Run;
  /** About once a second while the engine works, and at each change. */
  engine: EngineState;
  /** Of a benchmark under way: rows measured, of all rows. */
  bench: Readonly<{ done: number; total: number }>;
  library: Readonly<{ changed: 'folders' | 'quarantine' | 'tags' }>;
  statements: Readonly<{ changed: 'sets' }>;
  /** Photos whose verdicts changed; null for many. At most four a second. */
  results: Readonly<{ photoIds: readonly string[] | null }>;
  /** Counts of all queues after a change of them; at most four a second. */
  review: QueuesView;
  /** How far the search under way is, in photos; at most twenty a second. */
  search: Readonly<{ done: number; total: number }>;
  /** While stored verdicts are decided again, after each few thousand; null once they are. */
  deciding: DecidingProgress | null;
  /** How far the export under way is; at most ten a second. */
  export: ExportProgress;
  settings: Settings;
  command: ShellCommand;
}>;

/** Give a request an id to be able to cancel it; a cancelled call answers `cancelled`. */
export type CallOptions = Readonly<{ requestId?: string }>;
type Call<I, O> = undefined extends I
  ? (input?: I, options?: CallOptions) => Promise<Result<O>>
  : (input: I, options?: CallOptions) => Promise<Result<O>>;

/** `window.vouch`. */
export type VouchApi = Readonly<
  {
    [A in Area]: Readonly<{ [M in MethodName<A>]: Call<InputOf<A, M & keyof Api[A]>, OutputOf<A, M & keyof Api[A]>> }>;
  } & {
    /** Returns what ends the subscription. */
    on: <T extends Topic>(topic: T, listener: (event: Events[T]) => void) => () => void;
    cancel: (requestId: string) => void;
    /** The path of a file or folder that was dropped on the window; empty when it has none. */
    pathOf: (file: File) => string;
  }
>;

/** What the main process must have for each channel. */
export type CallContext = Readonly<{ signal: AbortSignal }>;
export type Handlers = Readonly<{
  [A in Area]: Readonly<{
    [M in MethodName<A>]: (
      input: CheckedInputOf<A, M & keyof Api[A]>,
      context: CallContext,
    ) => Promise<OutputOf<A, M & keyof Api[A]>>;
  }>;
}>;
