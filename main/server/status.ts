/** Which HTTP status an error means. Pure. */
import type { ErrorCode, VouchError } from '../contract/error.ts';
import type { QuarantineReason } from '../contract/photo.ts';

const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
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
  timed_out: 504,
  ...Object.fromEntries(
    (
      [
        ...['queue_full', 'not_ready', 'cancelled', 'engine_unavailable', 'device_unavailable', 'runtime_missing'],
        ...['precision_unavailable', 'input_size_unavailable', 'pack_unknown', 'pack_broken'],
        ...['store_locked', 'store_corrupt', 'store_newer', 'store_closed', 'network_path'],
      ] as const
    ).map((code) => [code, 503]),
  ),
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

/** What is no fault of the request and not expected either is 500. */
export const statusOf = (error: VouchError): number =>
  error.code === 'photo_unusable' ? ofPhoto[error.params.reason.code] : (statuses[error.code] ?? 500);
