/** Which exit code an error means; the table of codes is in contract/cli.ts. */
import { type ExitCode, exitCodes } from '../contract/cli.ts';
import type { ErrorCode } from '../contract/error.ts';

const byCode: Readonly<Partial<Record<ErrorCode, ExitCode>>> = {
  usage: exitCodes.usage,
  folder_missing: exitCodes.usage,
  not_a_folder: exitCodes.usage,
  file_missing: exitCodes.usage,
  file_unreadable: exitCodes.usage,
  photo_unusable: exitCodes.usage,
  no_statement: exitCodes.usage,
  nothing_left: exitCodes.usage,
  set_invalid: exitCodes.usage,
  set_empty: exitCodes.usage,
  colloquial_invalid: exitCodes.usage,
  pairs_invalid: exitCodes.usage,
  backup_invalid: exitCodes.usage,
  pack_unknown: exitCodes.noModel,
  pack_broken: exitCodes.noModel,
  device_unavailable: exitCodes.noModel,
  precision_unavailable: exitCodes.noModel,
  runtime_missing: exitCodes.noModel,
  some_failed: exitCodes.strict,
  store_locked: exitCodes.store,
  store_corrupt: exitCodes.store,
  store_on_network: exitCodes.store,
  store_too_new: exitCodes.store,
  store_unwritable: exitCodes.store,
  cancelled: exitCodes.interrupted,
};

export const exitCodeOf = (code: ErrorCode): ExitCode => byCode[code] ?? exitCodes.unexpected;
