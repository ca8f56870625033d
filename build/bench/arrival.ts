/** How long after a photo was dropped into a watched folder its tag stands in a sidecar beside it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { openCore } from '../../main/app/core.ts';
import { locateHome } from '../../main/home.ts';
import { spawnNode } from '../../main/hosts/spawn-node.ts';
import { percentile } from '../../main/measure/percentile.ts';
import { type Bench, median } from './bench.ts';

const root = resolve(import.meta.dirname, '..', '..');
const launcher = join(root, 'build', 'launcher', 'vouch.cjs');
const photos = 12;
const [width, height] = [4000, 2660];
const limitMs = 60_000;
const set = 'name: arrivals\nstatements:\n  - text: a cat\n    tag: cat\n    yes: 0.5\n';

/** The same photo, another file each time. */
const photo = (quality: number): Promise<Buffer> =>
  sharp(join(root, 'resources', 'samples', 'cat.jpg'))
    .resize(width, height)
    .jpeg({ quality })
    .toBuffer();

const prepareHome = async (home: string, folder: string): Promise<void> => {
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ tags: { lowestGrade: 'medium' } }));
  const core = openCore({ home: locateHome(home), entries: join(root, 'dist', 'main'), root, spawn: spawnNode() });
  const store = await core.openStore('write');
  await store.folders.upsert(folder, { settings: { tagging: 'xmp' } });
  await store.close();
  await core.close();
};

const until = async (holds: () => boolean): Promise<void> => {
  const limit = performance.now() + limitMs;
  while (!holds()) {
    if (performance.now() > limit) throw new Error(`still not after ${limitMs / 1000} s: ${holds}`);
    await pause(10);
  }
};

export const arrival: Bench = async (say) => {
  const dir = mkdtempSync(join(tmpdir(), 'vouch-bench-arrival-'));
  const [home, folder, statements] = [join(dir, 'home'), join(dir, 'photos'), join(dir, 'set.yaml')];
  mkdirSync(home);
  mkdirSync(folder);
  writeFileSync(statements, set);
  await prepareHome(home, folder);
  const watch = spawn(process.execPath, [launcher, 'watch', folder, '--set', statements, '--home', home, '--json']);
  let told = '';
  watch.stdout.on('data', (chunk) => (told += chunk));
  watch.stderr.pipe(process.stderr);
  const ended = new Promise((done) => watch.once('close', done));
  const drop = async (i: number): Promise<number> => {
    const path = join(folder, `${i}.jpg`);
    const bytes = await photo(95 - i);
    const droppedAt = performance.now();
    writeFileSync(path, bytes);
    await until(() => existsSync(`${path}.xmp`));
    return performance.now() - droppedAt;
  };
  try {
    await until(() => told.includes('"watching"'));
    say(`the first, which also warms the engine up: ${Math.round(await drop(0))} ms`);
    const times: number[] = [];
    for (let i = 1; i <= photos; i++) {
      await pause(200 + 137 * (i % 5));
      times.push(await drop(i));
      say(`photo ${i}: tagged after ${Math.round(times.at(-1)!)} ms`);
    }
    const sorted = times.toSorted((a, b) => a - b);
    return { ms: { photoToTagMedian: median(sorted), photoToTagP95: percentile(sorted, 95) }, photos, width, height };
  } finally {
    watch.kill('SIGINT');
    await ended;
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
};
