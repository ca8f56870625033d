/** Real scans on the tiny packs: the built hosts and workers, a real store, real JPEGs. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach } from 'vitest';
import { type Core, openCore } from '../../../main/app/core.ts';
import type { StatementEntry } from '../../../main/contract/statement.ts';
import { type EventName, eventNames, type TelemetryEvent, telemetryEvents } from '../../../main/contract/telemetry.ts';
import { locateHome } from '../../../main/home.ts';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import type { Judging, JudgingOptions } from '../../../main/judging/judging.ts';
import { type RunScanRequest, runScan, type ScanSummary } from '../../../main/library/run-scan.ts';
import type { StatementRecord, Store } from '../../../main/store/types.ts';
import {
  writeJointPack,
  writeOverflowingPack,
  writeReducedPack,
  writeSeparablePack,
  writeSizesPack,
} from '../../fixtures/packs/fixture-packs.ts';

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
  /** As `scan`, with another judging of the same pack. */
  scanWith: (judgingOptions: Partial<JudgingOptions>, request?: Partial<RunScanRequest>) => Promise<ScanSummary>;
  /** Photos that the model has seen so far; pairs of a joint one. */
  inferred: () => number;
  /** What the log says of an event by now, the oldest first. */
  logged: (event: EventName) => readonly Readonly<Record<string, unknown>>[];
  /** All that was told so far. */
  told: readonly TelemetryEvent[];
}>;

const writers = {
  separable: writeSeparablePack,
  joint: writeJointPack,
  reduced: writeReducedPack,
  overflowing: writeOverflowingPack,
  sizes: writeSizesPack,
};

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

export type Kind = keyof typeof writers;
export const usual: readonly StatementEntry[] = [{ text: 'a dog' }, { text: 'a cat' }];

export const openLibrary = async (
  entries: readonly StatementEntry[] = usual,
  kind: Kind = 'separable',
  judgingOptions: Partial<JudgingOptions> = {},
): Promise<Library> => {
  const dir = mkdtempSync(join(tmpdir(), 'vouch-library-'));
  const photos = join(dir, 'photos');
  mkdirSync(photos);
  const home = locateHome(join(dir, 'home'));
  const core = openCore({ home, entries: join(root, 'dist', 'main'), root, spawn: spawnNode() });
  const told: TelemetryEvent[] = [];
  core.telemetry.subscribe(eventNames, (event) => void told.push(event));
  const pack = writers[kind](join(home.packs, kind));
  const store = await core.openStore('write');
  const options: JudgingOptions = {
    model: pack.manifest.id,
    device: 'cpu',
    precision: 'auto',
    batch: { mode: 'auto' },
    maxDelayMs: 8,
    threads: 1,
    prescreen: { blur: 0, flat: 10, small: 0 },
    normalise: true,
    ...judgingOptions,
  };
  const judging = await core.openJudging(options);
  opened.push(async () => {
    for (const { event, fields } of told) telemetryEvents[event].fields.parse(fields);
    await judging.close();
    await store.close();
    await core.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const addStatements = (...added: readonly StatementEntry[]) =>
    store.statements.addTo('test', added, pack.manifest.id);
  const statements = await addStatements(...entries);
  const scanBy = (by: Judging, request: Partial<RunScanRequest> = {}) =>
    runScan(core, store, by, {
      roots: [photos],
      statements,
      recheck: { kind: 'none' },
      retryQuarantined: false,
      signal: new AbortController().signal,
      ...request,
    });
  return {
    core,
    store,
    judging,
    photos,
    statements,
    addStatements,
    scan: (request) => scanBy(judging, request),
    async scanWith(other, request) {
      const by = await core.openJudging({ ...options, ...other });
      try {
        return await scanBy(by, request);
      } finally {
        await by.close();
      }
    },
    told,
    logged: (wanted) => {
      // The last piece is empty, or a line that is just being written.
      const lines = readFileSync(join(home.logs, 'vouch.jsonl'), 'utf8').split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line)).filter(({ event }) => event === wanted);
    },
    inferred: () => judging.startedEngine()?.stats().samples ?? 0,
  };
};
