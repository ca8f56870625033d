/**
 * Errors that a person can do something about are values, not exceptions: a code and its parameters, put into words by
 * the command line and the renderer.
 */
import { z } from 'zod';
import { quarantineReasonSchema } from './photo.ts';

const error = <C extends string, P extends z.ZodRawShape>(code: C, params: P) =>
  z.object({ code: z.literal(code), params: z.object(params).readonly() }).readonly();

const path = z.string();

export const vouchErrorSchema = z.discriminatedUnion('code', [
  error('usage', { problem: z.string() }),
  error('folder_missing', { path }),
  error('not_a_folder', { path }),
  error('file_missing', { path }),
  error('file_unreadable', { path, detail: z.string() }),
  error('photo_unusable', { path, reason: quarantineReasonSchema }),
  error('no_statement', {}),
  error('nothing_left', { text: z.string(), removed: z.array(z.string()).readonly() }),
  /** `line` counts from 1; `field` is a path such as `statements[2].yes`, empty for the document itself. */
  error('set_invalid', { file: z.string(), line: z.number(), field: z.string(), problem: z.string() }),
  error('set_empty', { file: z.string() }),
  error('colloquial_invalid', { file: z.string(), line: z.number(), field: z.string(), problem: z.string() }),
  error('pairs_invalid', { file: z.string(), line: z.number(), problem: z.string() }),
  error('pack_unknown', { id: z.string(), known: z.array(z.string()).readonly() }),
  error('pack_broken', { id: z.string(), detail: z.string() }),
  error('device_unavailable', { device: z.string(), detail: z.string() }),
  error('precision_unavailable', { precision: z.string(), detail: z.string() }),
  error('runtime_missing', { detail: z.string() }),
  error('queue_full', { limit: z.number() }),
  error('timed_out', { limitMs: z.number() }),
  error('store_locked', { path }),
  error('store_corrupt', { path, setAside: z.string().nullable() }),
  error('store_on_network', { path }),
  error('store_too_new', { path, version: z.number(), known: z.number() }),
  error('store_unwritable', { path, detail: z.string() }),
  error('backup_invalid', { path, detail: z.string() }),
  error('some_failed', { quarantined: z.number(), failed: z.number() }),
  error('cancelled', {}),
  error('unexpected', { detail: z.string() }),
]);
export type VouchError = z.infer<typeof vouchErrorSchema>;
export type ErrorCode = VouchError['code'];

export type Result<T, E = VouchError> = Readonly<{ ok: true; value: T }> | Readonly<{ ok: false; error: E }>;

export const ok = <T>(value: T): Readonly<{ ok: true; value: T }> => ({ ok: true, value });
export const fail = <E>(error: E): Readonly<{ ok: false; error: E }> => ({ ok: false, error });
