/** What a thrown value means where it came out of the database. */
import { type VouchError, vouchError } from '../contract/errors.ts';
import { errorOf, systemDetail, VouchFailure } from '../failure.ts';

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
};

/** Whether this says that the file is no sound database. */
export const saysCorrupt = (thrown: unknown): boolean => {
  const code = codeOf(thrown);
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT');
};

/** `home`: the folder of the database. */
export const storeErrorOf = (thrown: unknown, home: string): VouchError => {
  if (thrown instanceof VouchFailure) return thrown.error;
  const code = codeOf(thrown);
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return vouchError('disk_full', { path: home });
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return vouchError('store_locked', { path: home, pid: null });
  }
  if (saysCorrupt(thrown)) return vouchError('store_corrupt', { path: home, detail, setAside: null, backup: null });
  if (code.startsWith('SQLITE_READONLY') || code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    return vouchError('not_writable', { path: home, detail: systemDetail(thrown) });
  }
  return errorOf(thrown);
};
