/** Errors as data, the same on both sides of the worker's thread. */
import type { StoreError, StoreErrorCode } from './types.ts';

export class StoreFailure extends Error {
  readonly error: StoreError;
  constructor(error: StoreError, options?: ErrorOptions) {
    super(`${error.code} ${JSON.stringify(error.params)}`, options);
    this.name = 'StoreFailure';
    this.error = error;
  }
}

export const storeError = (
  code: StoreErrorCode,
  params: StoreError['params'] = {},
  retryable: boolean = code === 'store_locked' || code === 'disk_full',
): StoreError => ({ code, params, retryable });

export const fail = (code: StoreErrorCode, params: StoreError['params'] = {}, cause?: unknown): never => {
  throw new StoreFailure(storeError(code, params), { cause });
};

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
};

/** What a thrown value means to a caller. */
export const toStoreError = (thrown: unknown): StoreError => {
  if (thrown instanceof StoreFailure) return thrown.error;
  const code = codeOf(thrown);
  const params = { error: thrown instanceof Error ? thrown.message : String(thrown) };
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return storeError('disk_full', params);
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return storeError('store_locked', params);
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return storeError('store_corrupt', params);
  if (code.startsWith('SQLITE_READONLY') || code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    return storeError('not_writable', params);
  }
  return storeError('unexpected', params);
};
