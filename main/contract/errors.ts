/**
 * Errors that a person can do something about are values, not exceptions: a code and its parameters, put into words by
 * main/words in the language at hand. This is the one table of them: whatever throws or answers with an error, in the
 * core, in the store's worker, over IPC or over HTTP, does so with a code of it.
 */
import { z } from 'zod';
import { quarantineReasonSchema } from './photo.ts';

const text = z.string();
const count = z.number();
const nothing = z.strictObject({});
const at = z.strictObject({ path: text });
/** `detail`: what a library or the system said, in its own words. */
const atBecause = z.strictObject({ path: text, detail: text });
const because = z.strictObject({ detail: text });
/** `line` counts from 1; `field` is a path such as `statements[2].yes`, empty for the document itself. */
const inFile = z.strictObject({ file: text, line: count, field: text, problem: text });

export const errorParams = {
  // ---- what was asked ----
  /** `path`: the dotted place in the input; `problem`: what is wrong there, in English. */
  invalid_input: z.strictObject({ channel: text, path: text, problem: text }),
  /** `problem`: what is wrong with the command, in English. */
  usage: z.strictObject({ problem: text }),
  /** The call did not come from the main frame of a window of ours. */
  forbidden_sender: z.strictObject({ channel: text }),
  not_found: z.strictObject({
    what: z.enum(['folder', 'photo', 'statement', 'set', 'run', 'quarantined', 'verdict', 'place']),
    id: text,
  }),
  cancelled: nothing,

  // ---- files and folders ----
  folder_missing: at,
  not_a_folder: at,
  folder_unreadable: atBecause,
  /** A registered folder already holds this one. */
  folder_inside: z.strictObject({ path: text, parent: text }),
  file_missing: at,
  file_unreadable: atBecause,
  /** The system does not allow it. */
  no_access: atBecause,
  photo_unusable: z.strictObject({ path: text, reason: quarantineReasonSchema }),
  disk_full: at,
  /** `path`: the file or the sidecar that could not be written. */
  export_failed: atBecause,
  /** A photo would be overwritten. */
  export_over_photo: at,
  /** The database or another file of Vouch's own would be overwritten. */
  export_over_home: at,
  some_failed: z.strictObject({ quarantined: count, failed: count }),

  // ---- statements ----
  no_statement: nothing,
  /** Normalisation took everything out of the statement. */
  nothing_left: z.strictObject({ text, removed: z.array(text).readonly() }),
  set_empty: z.strictObject({ name: text }),
  set_invalid: inFile,
  /** Another statement set has this name. */
  name_taken: z.strictObject({ name: text }),
  colloquial_invalid: inFile,
  pairs_invalid: z.strictObject({ file: text, line: count, problem: text }),
  /** The pack keeps no evidence that could be searched. */
  not_searchable: z.strictObject({ pack: text }),

  // ---- review ----
  /** Risk control needs so many more blind audit reviews. */
  audit_needed: z.strictObject({ missing: count }),
  /** No threshold keeps automatic decisions within this error. */
  risk_not_kept: z.strictObject({ target: count }),

  // ---- model and engine ----
  pack_unknown: z.strictObject({ id: text, known: z.array(text).readonly() }),
  pack_broken: z.strictObject({ pack: text, detail: text }),
  precision_unavailable: z.strictObject({ precision: text, detail: text }),
  input_size_unavailable: z.strictObject({ size: count, detail: text }),
  device_unavailable: z.strictObject({ device: text, detail: text }),
  runtime_missing: because,
  engine_unavailable: because,
  queue_full: because,
  timed_out: z.strictObject({ limitMs: count }),
  /** Photos are being judged, which a measurement would disturb and be disturbed by. */
  run_active: nothing,
  /** Something that takes its time is not there yet. */
  not_ready: because,

  // ---- database ----
  /** Another process writes this home; `pid` where it is known. */
  store_locked: z.strictObject({ path: text, pid: count.nullable() }),
  /** `setAside`: where the damaged file is kept now, null when only reading; `backup`: the newest one. */
  store_corrupt: z.strictObject({ path: text, detail: text, setAside: text.nullable(), backup: text.nullable() }),
  /** Made by a later version; `schema`: its first migration that is not known here. */
  store_newer: z.strictObject({ path: text, schema: text }),
  /** Reading only: there is no database yet. */
  store_missing: at,
  store_closed: at,
  /** A reader was asked to write. */
  read_only: at,
  not_writable: atBecause,
  network_path: z.strictObject({ path: text, type: text }),
  not_a_backup: atBecause,

  // ---- the local server ----
  /** No token or a wrong one. */
  unauthorised: nothing,
  /** From a web page, or under a name that is not this machine's. */
  foreign: z.strictObject({ header: z.enum(['Host', 'Origin']), given: text }),
  no_route: z.strictObject({ method: text, path: text }),
  body_too_large: z.strictObject({ limit: count }),

  /** A defect of ours, and nothing else. `log`: the file that says more, where it was written down. */
  unexpected: z.strictObject({ detail: text, log: text.nullable() }),
} as const;

type Params = typeof errorParams;
export type ErrorCode = keyof Params;
export type ErrorParams<C extends ErrorCode> = Readonly<z.infer<Params[C]>>;
export type VouchError<Codes extends ErrorCode = ErrorCode> = {
  [C in Codes]: Readonly<{
    code: C;
    params: ErrorParams<C>;
    /** The same call may work later without any change. */
    retryable: boolean;
  }>;
}[Codes];

const passing: ReadonlySet<ErrorCode> = new Set([
  ...(['cancelled', 'disk_full', 'queue_full', 'timed_out', 'run_active', 'not_ready', 'store_locked'] as const),
]);

export const vouchError = <C extends ErrorCode>(
  code: C,
  params: ErrorParams<C>,
  retryable = passing.has(code),
): Readonly<{ code: C; params: ErrorParams<C>; retryable: boolean }> => ({ code, params, retryable });
