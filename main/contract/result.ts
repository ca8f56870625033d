/** What every call answers: a value, or an error as data that is put into words where it is shown. */
import type { VouchError } from './errors.ts';

export type Result<T, E = VouchError> = Readonly<{ ok: true; value: T }> | Readonly<{ ok: false; error: E }>;
