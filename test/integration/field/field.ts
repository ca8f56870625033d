/** A library to watch: a real core with the tiny fixture pack, a real store, chokidar, and folders of small photos. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterEach } from 'vitest';
import { type Core, openCore } from '../../../main/app/core.ts';
import type { WatchState } from '../../../main/contract/folder.ts';
import type { QuarantineReason } from '../../../main/contract/photo.ts';
import type { StatementEntry } from '../../../main/contract/statement.ts';
import { locateHome } from '../../../main/home.ts';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import type { Judging } from '../../../main/judging/judging.ts';
import { rootAt } from '../../../main/library/folders.ts';
import { runScan } from '../../../main/library/run-scan.ts';
import { watchArrivals } from '../../../main/library/watch/arrivals.ts';
import type { WatchTiming } from '../../../main/library/watch/folder-watch.ts';
import type { Watch } from '../../../main/library/watch/watch.ts';
import type { StatementRecord, Store } from '../../../main/store/types.ts';
import { writeSeparablePack } from '../../fixtures/packs/fixture-packs.ts';
import { root } from '../cli/vouch.ts';

export const packId = 'fixture-separable';
/** Quick, so that tests do not wait; a real one waits longer. */
export const quick: WatchTiming = { settleMs: 200, presenceMs: 200, pollMs: 300, pollShare: 0.5 };

/** What a watch told. */
type Told = {
  judged: string[];
  gone: string[];
  quarantined: { path: string; reason: QuarantineReason }[];
  states: WatchState[];
  failed: unknown[];
  reconciled: number;
};

export type Field = Readonly<{
  core: Core;
  store: Store;
  judging: Judging;
  statements: readonly StatementRecord[];
  /** An empty folder, registered. */
  folder: (name?: string) => Promise<string>;
  scan: (...folders: readonly string[]) => ReturnType<typeof runScan>;
  watch: (folder: string, timing?: WatchTiming) => Promise<Readonly<{ watch: Watch; told: Told }>>;
  /** Paths of alive photos under a folder, sorted. */
  alive: (folder: string) => Promise<readonly string[]>;
  close: () => Promise<void>;
}>;

const opened: Field[] = [];
afterEach(async () => {
  for (const field of opened.splice(0)) await field.close();
});

export const openField = async (
  entries: readonly StatementEntry[] = [{ text: 'a dog' }, { text: 'a cat' }],
): Promise<Field> => {
  const dir = mkdtempSync(join(tmpdir(), 'vouch-field-'));
  const home = locateHome(join(dir, 'home'));
  mkdirSync(join(home.packs), { recursive: true });
  writeSeparablePack(join(home.packs, 'fixture'));
  const core = openCore({ home, entries: join(root, 'dist', 'main'), root, spawn: spawnNode() });
  const store = await core.openStore('write');
  const judging = await core.openJudging({
    ...{ model: packId, device: 'cpu', precision: 'auto', batch: { mode: 'auto' } },
    ...{ maxDelayMs: 8, threads: 0, prescreen: null, normalise: true },
  });
  const { statements } = await store.statements.upsertSet({ name: 'pets', statements: [...entries] }, packId);
  const stop = new AbortController();
  const watches: Watch[] = [];
  let folders = 0;

  const scan = (...roots: readonly string[]) =>
    runScan(core, store, judging, {
      ...{ roots, statements, recheck: { kind: 'none' }, retryQuarantined: false, signal: stop.signal },
    });

  const field: Field = {
    ...{ core, store, judging, statements, scan },
    folder: async (name = `photos-${folders++}`) => {
      const path = join(dir, name);
      mkdirSync(path, { recursive: true });
      await store.folders.upsert(path, {});
      return path;
    },
    watch: async (folder, timing = quick) => {
      const told: Told = { judged: [], gone: [], quarantined: [], states: [], failed: [], reconciled: 0 };
      const watch = watchArrivals(
        {
          ...{ core, store, signal: stop.signal },
          judging: async () => judging,
          statements: async () => statements,
          reconcile: async ({ path }) => {
            await scan(path);
            told.reconciled++;
          },
          onJudged: (ids) => void told.judged.push(...ids),
          onQuarantined: (files) => void told.quarantined.push(...files),
          onGone: (paths) => void told.gone.push(...paths),
          onState: (_, state) => void told.states.push(state),
          onFailed: (error) => void told.failed.push(error),
        },
        timing,
      );
      watches.push(watch);
      await watch.follow([rootAt(folder, await store.folders.list())]);
      await until(() => told.reconciled > 0 || told.states.at(-1)?.mode === 'offline');
      return { watch, told };
    },
    alive: async (folder) => {
      const paths = await store.photos.listPaths(folder, null, 100_000);
      const quarantined = new Set((await store.quarantine.list(folder)).map(({ path }) => path));
      return paths.filter((path) => !quarantined.has(path));
    },
    close: async () => {
      stop.abort();
      for (const watch of watches) await watch.close();
      await judging.close();
      await store.close();
      await core.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  opened.push(field);
  return field;
};

/** A small noisy JPEG, another for each seed. */
export const photo = (seed: number): Promise<Buffer> => {
  const noise = Buffer.alloc(80 * 60 * 3);
  for (let k = 0; k < noise.length; k += 1) noise[k] = (k * (seed + 3) * 7 + ((k * k) >> 5)) & 255;
  return sharp(noise, { raw: { width: 80, height: 60, channels: 3 } })
    .jpeg()
    .toBuffer();
};

export const place = async (path: string, seed: number): Promise<string> => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await photo(seed));
  return path;
};

/** Asks until it holds; the limit only bounds a test that is going to fail. */
export const until = async (holds: () => boolean | Promise<boolean>, limitMs = 120_000): Promise<void> => {
  const limit = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error(`still not: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};
