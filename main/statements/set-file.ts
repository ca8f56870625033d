/** Reads a statement set from its file. */
import { readFile } from 'node:fs/promises';
import type { StatementSet } from '../contract/statement.ts';
import { failWith, systemDetail, VouchFailure } from '../failure.ts';
import { readStatementSet } from './sets.ts';

/** @throws VouchFailure where the file cannot be read, or holds no statement set. */
export const readSetFile = async (path: string): Promise<StatementSet> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT'
      ? failWith('file_missing', { path })
      : failWith('file_unreadable', { path, detail: systemDetail(error) }),
  );
  const set = readStatementSet(text, path);
  if (!set.ok) throw new VouchFailure(set.error);
  return set.value;
};
