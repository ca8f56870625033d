/** What every call answers: a value, or an error as data that the renderer puts into words. */

/** Each error's code with its parameters. */
export type ApiErrors = {
  /** `path`: the dotted place in the input; `problem`: what is wrong there, in English, for the log. */
  invalid_input: { channel: string; path: string; problem: string };
  /** The call did not come from the main frame of a window of ours. */
  forbidden_sender: { channel: string };
  not_found: { what: 'folder' | 'photo' | 'statement' | 'set' | 'run' | 'quarantined' | 'verdict'; id: string };
  folder_missing: { path: string };
  not_a_folder: { path: string };
  folder_unreadable: { path: string; error: string };
  /** A registered folder already holds this one. */
  folder_inside: { path: string; parent: string };
  /** Normalisation took everything out of the statement. */
  nothing_left: { text: string; removed: readonly string[] };
  set_empty: { name: string };
  /** Risk control needs so many more blind audit reviews. */
  audit_needed: { missing: number };
  /** No threshold keeps automatic decisions within this error. */
  risk_not_kept: { target: number };
  /** The pack keeps no evidence that could be searched. */
  not_searchable: { pack: string };
  /** `line` counts from 1; `field` is a path such as `statements[2].yes`, empty for the document itself. */
  set_invalid: { file: string; line: number; field: string; problem: string };
  /** Another statement set has this name. */
  name_taken: { name: string };
  no_statement: Record<string, never>;
  engine_unavailable: { detail: string };
  device_unavailable: { device: string; detail: string };
  pack_broken: { pack: string; detail: string };
  store_locked: { path: string };
  store_corrupt: { path: string; detail: string };
  /** The database is there but cannot be worked with. */
  store_unusable: {
    path: string;
    why: 'store_newer' | 'store_missing' | 'store_closed' | 'network_path' | 'not_writable' | 'read_only';
    detail: string;
  };
  disk_full: { path: string };
  /** `path`: the file or the sidecar that could not be written. */
  export_failed: { path: string; detail: string };
  /** A photo would be overwritten. */
  export_over_photo: { path: string };
  /** The database or another file of Vouch's own would be overwritten. */
  export_over_home: { path: string };
  /** Photos are being judged, which a measurement would disturb and be disturbed by. */
  run_active: Record<string, never>;
  cancelled: Record<string, never>;
  /** The core is not open. */
  not_ready: { detail: string };
  unexpected: { detail: string };
};
type ApiErrorCode = keyof ApiErrors;
export type ApiError = {
  [C in ApiErrorCode]: Readonly<{ code: C; params: Readonly<ApiErrors[C]>; retryable: boolean }>;
}[ApiErrorCode];

export type Result<T, E = ApiError> = Readonly<{ ok: true; value: T }> | Readonly<{ ok: false; error: E }>;
