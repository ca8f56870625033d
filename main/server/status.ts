/** Which HTTP status an error means. Pure. */
import type { ErrorCode, VouchError } from '../contract/errors.ts';
import type { QuarantineReason } from '../contract/photo.ts';

/** What is no fault of the request and not expected either is 500. */
const statuses: Readonly<Record<Exclude<ErrorCode, 'photo_unusable'>, number>> = {
  usage: 400,
  invalid_input: 400,
  no_statement: 400,
  nothing_left: 400,
  unauthorised: 401,
  foreign: 403,
  file_missing: 404,
  not_found: 404,
  no_route: 404,
  body_too_large: 413,

  cancelled: 503,
  queue_full: 503,
  not_ready: 503,
  engine_unavailable: 503,
  device_unavailable: 503,
  precision_unavailable: 503,
  input_size_unavailable: 503,
  runtime_missing: 503,
  pack_unknown: 503,
  pack_broken: 503,
  store_locked: 503,
  store_corrupt: 503,
  store_newer: 503,
  store_closed: 503,
  network_path: 503,
  timed_out: 504,

  file_unreadable: 422,
  no_access: 422,

  unexpected: 500,
  disk_full: 500,
  store_missing: 500,
  read_only: 500,
  not_writable: 500,
  // No route of the server does what these are about.
  forbidden_sender: 500,
  folder_missing: 500,
  not_a_folder: 500,
  folder_unreadable: 500,
  folder_inside: 500,
  export_failed: 500,
  export_over_photo: 500,
  export_over_home: 500,
  some_failed: 500,
  set_empty: 500,
  set_invalid: 500,
  name_taken: 500,
  colloquial_invalid: 500,
  pairs_invalid: 500,
  not_searchable: 500,
  audit_needed: 500,
  risk_not_kept: 500,
  run_active: 500,
  not_a_backup: 500,
};

const ofPhoto: Readonly<Record<QuarantineReason['code'], number>> = {
  vanished: 404,
  too_many_bytes: 413,
  too_many_pixels: 413,
  empty_file: 415,
  not_an_image: 415,
  unsupported_format: 415,
  undecodable: 415,
  unreadable: 422,
  still_changing: 422,
  kills_host: 422,
  inference_failed: 422,
};

export const statusOf = (error: VouchError): number =>
  error.code === 'photo_unusable' ? ofPhoto[error.params.reason.code] : statuses[error.code];
