/**
 * Errors that a person can do something about are values, not exceptions: a code and its parameters, put into words by
 * the command line and the renderer. A window meets those of `ApiErrors`; the core knows a few more.
 */
import type { QuarantineReason } from './photo.ts';
import type { ApiErrors } from './result.ts';

/** `line` counts from 1; `field` is a path such as `statements[2].yes`, empty for the document itself. */
type InFile = { file: string; line: number; field: string; problem: string };

/** What the store says of itself: `path` and, where there is one, `detail`. */
type OfStore = Readonly<Record<string, string | number | null>>;

export type VouchErrors = ApiErrors & {
  store_newer: OfStore;
  store_missing: OfStore;
  store_closed: OfStore;
  network_path: OfStore;
  not_writable: OfStore;
  read_only: OfStore;
  not_a_backup: OfStore;
  usage: { problem: string };
  file_missing: { path: string };
  file_unreadable: { path: string; detail: string };
  photo_unusable: { path: string; reason: QuarantineReason };
  set_invalid: InFile;
  colloquial_invalid: InFile;
  pairs_invalid: { file: string; line: number; problem: string };
  pack_unknown: { id: string; known: readonly string[] };
  precision_unavailable: { precision: string; detail: string };
  input_size_unavailable: { size: number; detail: string };
  runtime_missing: { detail: string };
  queue_full: { detail: string };
  timed_out: { limitMs: number };
  some_failed: { quarantined: number; failed: number };
  /** To the local server: no token or a wrong one; from a web page, or under a name that is not this machine's. */
  unauthorised: Record<string, never>;
  foreign: { header: 'Host' | 'Origin'; given: string };
  no_route: { method: string; path: string };
  body_too_large: { limit: number };
};
export type ErrorCode = keyof VouchErrors;
export type VouchError<Codes extends ErrorCode = ErrorCode> = {
  [C in Codes]: Readonly<{ code: C; params: Readonly<VouchErrors[C]>; retryable: boolean }>;
}[Codes];

export const vouchError = <C extends ErrorCode>(
  code: C,
  params: VouchErrors[C],
  retryable = false,
): Readonly<{ code: C; params: VouchErrors[C]; retryable: boolean }> => ({ code, params, retryable });
