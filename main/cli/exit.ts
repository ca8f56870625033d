/** Which exit code an error means; the table of codes is in contract/cli.ts. */
import { type ExitCode, exitCodes } from '../contract/cli.ts';
import type { ErrorCode } from '../contract/errors.ts';

const { usage, noModel, strict, store, interrupted, unexpected } = exitCodes;

const exits: Readonly<Record<ErrorCode, ExitCode>> = {
  usage,
  not_found: usage,
  folder_missing: usage,
  not_a_folder: usage,
  folder_unreadable: usage,
  file_missing: usage,
  file_unreadable: usage,
  no_access: usage,
  photo_unusable: usage,
  no_statement: usage,
  nothing_left: usage,
  set_empty: usage,
  set_invalid: usage,
  colloquial_invalid: usage,
  pairs_invalid: usage,
  not_searchable: usage,
  audit_needed: usage,
  risk_not_kept: usage,
  not_a_backup: usage,
  export_over_photo: usage,
  export_over_home: usage,

  pack_unknown: noModel,
  pack_broken: noModel,
  precision_unavailable: noModel,
  input_size_unavailable: noModel,
  device_unavailable: noModel,
  runtime_missing: noModel,
  engine_unavailable: noModel,

  some_failed: strict,

  store_locked: store,
  store_corrupt: store,
  store_newer: store,
  store_missing: store,
  read_only: store,
  not_writable: store,
  network_path: store,
  disk_full: store,

  cancelled: interrupted,

  export_failed: unexpected,
  queue_full: unexpected,
  timed_out: unexpected,
  not_ready: unexpected,
  store_closed: unexpected,
  unexpected,
  // Only a window or a client of the local server meets these.
  invalid_input: unexpected,
  forbidden_sender: unexpected,
  folder_inside: unexpected,
  name_taken: unexpected,
  run_active: unexpected,
  unauthorised: unexpected,
  foreign: unexpected,
  no_route: unexpected,
  body_too_large: unexpected,
};

export const exitCodeOf = (code: ErrorCode): ExitCode => exits[code];
