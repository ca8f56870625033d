/** Folders and statements as commands are given them. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { vouchError } from '../contract/error.ts';
import { adhocSet, type StatementEntry, type StatementSet } from '../contract/statement.ts';
import { VouchFailure } from '../failure.ts';
import type { Judging } from '../judging/judging.ts';
import { readStatementSet } from '../statements/sets.ts';
import type { StatementRecord, Store } from '../store/types.ts';

export type Given = Readonly<{ entries: readonly StatementEntry[]; set: StatementSet | null }>;

export const folderAt = async (dir: string): Promise<string> => {
  const path = resolve(dir);
  const found = await stat(path).catch(() => null);
  if (!found) throw new VouchFailure(vouchError('folder_missing', { path }));
  if (!found.isDirectory()) throw new VouchFailure(vouchError('not_a_folder', { path }));
  return path;
};

const readSet = async (path: string): Promise<StatementSet> => {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new VouchFailure(vouchError('file_missing', { path }));
  });
  const set = readStatementSet(text, path);
  if (!set.ok) throw new VouchFailure(set.error);
  return set.value;
};

export const readGiven = async (
  options: Readonly<{ statement: readonly string[]; set?: string | undefined }>,
): Promise<Given> => ({
  entries: options.statement.map((text) => ({ text })),
  set: options.set === undefined ? null : await readSet(resolve(options.set)),
});

/** Statements of which nothing is left must be refused before they are stored. */
export const checkGiven = async ({ entries, set }: Given, judging: Judging): Promise<void> => {
  const texts = [...entries, ...(set?.statements ?? [])];
  const checked = await judging.rescorer.read(texts.map(({ text }) => ({ key: 0, text })));
  for (const result of checked) if (!result.ok) throw new VouchFailure(result.error);
};

export const storeGiven = async (
  { entries, set }: Given,
  store: Store,
  packId: string,
): Promise<readonly StatementRecord[]> => {
  const ofSet = set ? (await store.statements.upsertSet(set, packId)).statements : [];
  const asked = entries.length > 0 ? await store.statements.addTo(adhocSet, entries, packId) : [];
  return [...asked, ...ofSet];
};
