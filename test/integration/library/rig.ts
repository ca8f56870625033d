/** Real scans on the tiny packs: the built hosts and workers, a real store, real JPEGs. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach } from 'vitest';
import type { LadderSettings } from '../../../main/contract/settings.ts';
import type { StatementEntry } from '../../../main/contract/statement.ts';
import { type Core, type Judging, openCore } from '../../../main/core.ts';
import { locateHome } from '../../../main/home.ts';
import { spawnNode } from '../../../main/inference/spawn-node.ts';
import { type RunScanRequest, runScan, type ScanSummary } from '../../../main/library/run-scan.ts';
import type { StatementRecord, Store } from '../../../main/store/types.ts';
import { writeJointPack, writeReducedPack, writeSeparablePack } from '../../fixtures/packs/fixture-packs.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');

export type Library = Readonly<{
  core: Core;
  store: Store;
  judging: Judging;
  /** The folder that is scanned unless another one is asked for. */
  photos: string;
  statements: readonly StatementRecord[];
  addStatements: (...entries: readonly StatementEntry[]) => Promise<readonly StatementRecord[]>;
  scan: (request?: Partial<RunScanRequest>) => Promise<ScanSummary>;
  /** Photos that the model has seen so far. */
  inferred: () => number;
}>;

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

export const openLibrary = async (
  entries: readonly StatementEntry[] = [{ text: 'a dog' }, { text: 'a cat' }],
  kind: 'separable' | 'joint' = 'separable',
  { ladder, pack: wanted }: Readonly<{ ladder?: LadderSettings; pack?: 'int8' }> = {},
): Promise<Library> => {
  const dir = mkdtempSync(join(tmpdir(), 'vouch-library-'));
  const photos = join(dir, 'photos');
  mkdirSync(photos);
  const home = locateHome(join(dir, 'home'));
  const core = openCore({ home, entries: join(root, 'dist', 'main'), root, spawn: spawnNode() });
  const write = kind === 'joint' ? writeJointPack : wanted === 'int8' ? writeReducedPack : writeSeparablePack;
  const pack = write(join(home.packs, kind));
  const store = await core.openStore('write');
  const judging = await core.openJudging({
    model: pack.manifest.id,
    device: 'cpu',
    precision: 'auto',
    batch: { mode: 'auto' },
    maxDelayMs: 8,
    threads: 1,
    prescreen: { blur: 0, flat: 10, small: 0 },
    normalise: true,
    ...(ladder && { ladder }),
  });
  opened.push(async () => {
    await judging.close();
    await store.close();
    await core.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const addStatements = (...added: readonly StatementEntry[]) =>
    store.statements.addTo('test', added, pack.manifest.id);
  const statements = await addStatements(...entries);
  return {
    core,
    store,
    judging,
    photos,
    statements,
    addStatements,
    scan: (request = {}) =>
      runScan(core, store, judging, {
        roots: [photos],
        statements,
        recheck: { kind: 'none' },
        retryQuarantined: false,
        signal: new AbortController().signal,
        ...request,
      }),
    inferred: () => judging.startedEngine()?.stats().samples ?? 0,
  };
};
