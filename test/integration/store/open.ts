/** Real stores in temporary homes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { openStore } from '../../../main/store/core/client.ts';
import type {
  OpenResult,
  RequestTiming,
  StatementRecord,
  Store,
  VerdictFilter,
  VerdictItem,
} from '../../../main/store/types.ts';

export * from './records.ts';

const workerUrl = new URL('../../../main/store/sql/worker.ts', import.meta.url);

const homes: string[] = [];
const stores: Store[] = [];

export const newHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), 'vouch-store-'));
  homes.push(home);
  return home;
};

export const tryOpen = async (
  home: string,
  mode: 'read' | 'write' = 'write',
  onRequest?: (timing: RequestTiming) => void,
): Promise<OpenResult> => {
  const result = await openStore({ home, mode, workerUrl, ...(onRequest && { onRequest }) });
  if (result.ok) stores.push(result.store);
  return result;
};

export const open = async (home: string = newHome(), mode: 'read' | 'write' = 'write'): Promise<Store> => {
  const result = await tryOpen(home, mode);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.store;
};

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

const pathAndStatement = ({ path, statementId }: VerdictItem): string => `${path}\n${statementId}`;
/** All verdicts by path, then by when their statement was made. */
export const listByPath = async (store: Store): Promise<readonly VerdictItem[]> =>
  (await store.verdicts.list({}, { limit: 500 })).items.toSorted((a, b) =>
    pathAndStatement(a) < pathAndStatement(b) ? -1 : 1,
  );

/** How many shown pairs bear each mark, by the totals of filtered lists. */
export const markCounts = async (store: Store) => {
  const total = async (filter: VerdictFilter) => (await store.verdicts.list(filter, { limit: 1 })).total;
  return {
    wantsReview: await total({ wantsReview: true }),
    flagged: await total({ flagged: true }),
    damaged: await total({ damaged: true }),
    degraded: await total({ degraded: true }),
    disagrees: await total({ disagrees: true }),
    reviewed: await total({ reviewed: true }),
  };
};

export const dogs = async (store: Store): Promise<readonly StatementRecord[]> =>
  (await store.statements.upsertSet({ name: 'pets', statements: [{ text: 'a dog' }, { text: 'a cat' }] }, 'concept-en'))
    .statements;
