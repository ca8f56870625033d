/** Which exit code an error means; the table of codes is in contract/cli.ts. */
import { type ExitCode, exitCodes } from '../contract/cli.ts';
import type { ErrorCode } from '../contract/error.ts';

const codes: ReadonlyMap<ExitCode, readonly ErrorCode[]> = new Map([
  [
    exitCodes.usage,
    [
      'usage',
      'folder_missing',
      'not_a_folder',
      'folder_unreadable',
      'file_missing',
      'file_unreadable',
      'photo_unusable',
      'no_statement',
      'nothing_left',
      'set_invalid',
      'set_empty',
      'audit_needed',
      'risk_not_kept',
      'not_searchable',
      'colloquial_invalid',
      'pairs_invalid',
      'not_a_backup',
      'not_found',
      'export_over_photo',
      'export_over_home',
    ],
  ],
  [
    exitCodes.noModel,
    [
      'pack_unknown',
      'pack_broken',
      'device_unavailable',
      'precision_unavailable',
      'input_size_unavailable',
      'runtime_missing',
      'engine_unavailable',
    ],
  ],
  [exitCodes.strict, ['some_failed']],
  [
    exitCodes.store,
    ['store_locked', 'store_corrupt', 'store_newer', 'store_missing', 'network_path', 'not_writable', 'read_only'],
  ],
  [exitCodes.interrupted, ['cancelled']],
]);

export const exitCodeOf = (code: ErrorCode): ExitCode => {
  for (const [exit, errors] of codes) if (errors.includes(code)) return exit;
  return exitCodes.unexpected;
};
