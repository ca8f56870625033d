/**
 * Whether hosts grow: 10,000 photos judged on the tiny fixture pack and 1,500 on the embedded one, all different; the
 * memory of each host in the last tenth against that in the tenth after the first fifth.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import sharp from 'sharp';
import { defaultSettings } from '../../main/contract/settings.ts';
import { openRuntimeDir } from '../../main/hosts/runtime-dir.ts';
import { spawnNode } from '../../main/hosts/spawn-node.ts';
import { openImagePool } from '../../main/images/core/pool.ts';
import { startEngine } from '../../main/inference/core/engine.ts';
import type { Engine, EngineStats } from '../../main/inference/core/engine-types.ts';
import { writeSeparablePack } from '../../test/fixtures/packs/fixture-packs.ts';
import { type Bench, median } from './bench.ts';
import { withCore, withJudging } from './vouch.ts';

const counts = { fixture: 10_000, conceptEn: 1500 };
const concurrency = 16;
const sampleMs = 250;
const built = join(import.meta.dirname, '..', '..', 'dist', 'main');

/** `count` JPEGs of 64 to 160 pixels, each with other bytes: noise under a turning gradient. */
const smallPhotos = async (dir: string, count: number): Promise<readonly string[]> => {
  const paths = Array.from({ length: count }, (_, i) => join(dir, `${i}.jpg`));
  await pMap(
    paths,
    async (path, i) => {
      const [width, height] = [96 + (i % 64), 64 + (i % 32)];
      const pixels = Buffer.alloc(width * height * 3);
      for (let k = 0; k < pixels.length; k += 1) pixels[k] = (k * (i % 251) + (k >> 4) * (i % 13) + i) & 255;
      await sharp(pixels, { raw: { width, height, channels: 3 } })
        .jpeg({ quality: 70 })
        .withMetadata({ exif: { IFD0: { ImageDescription: `${i}` } } })
        .toFile(path);
    },
    { concurrency: 4 },
  );
  return paths;
};

type HostGrowth = Readonly<{ host: string; earlyMb: number; endMb: number; ratio: number; restarts: number }>;

const growth = async (engine: Engine, paths: readonly string[]): Promise<readonly HostGrowth[]> => {
  const judge = async (some: readonly string[]) => {
    const results = await pMap(some, (path) => engine.encode(path), { concurrency });
    const bad = results.find(({ ok }) => !ok);
    if (bad) throw new Error(`a photo could not be judged: ${JSON.stringify(bad)}`);
  };
  /** Judges some, and tells what each host held meanwhile: the middle of what was seen, since garbage comes and goes. */
  const judgeWatched = async (some: readonly string[]) => {
    const seen: EngineStats['hosts'][] = [];
    const watch = setInterval(() => seen.push(engine.stats().hosts), sampleMs);
    await judge(some).finally(() => clearInterval(watch));
    return engine.stats().hosts.map((host, i) => ({
      ...host,
      rssBytes: median(seen.map((hosts) => hosts[i]?.rssBytes ?? 0)),
    }));
  };
  const tenth = paths.length / 10;
  await judge(paths.slice(0, 2 * tenth));
  const early = await judgeWatched(paths.slice(2 * tenth, 3 * tenth));
  await judge(paths.slice(3 * tenth, 9 * tenth));
  const end = await judgeWatched(paths.slice(9 * tenth));
  const mb = (bytes: number): number => bytes / 2 ** 20;
  return end.map(({ kind, rssBytes, restarts }, i) => {
    const [earlyMb, endMb] = [mb(early[i]?.rssBytes ?? 0), mb(rssBytes)];
    return { host: kind, earlyMb, endMb, ratio: endMb / earlyMb, restarts };
  });
};

const hosts = { spawn: spawnNode() };
const limits = { maxBytes: 2 ** 28, maxPixels: 10 ** 8 };

const onFixture = async (dir: string): Promise<readonly HostGrowth[]> => {
  const paths = await smallPhotos(dir, counts.fixture);
  const images = openImagePool({ ...hosts, entry: join(built, 'image-host.js'), limits, tell: () => undefined });
  const engine = await startEngine({
    ...hosts,
    images,
    pack: writeSeparablePack(join(dir, 'pack')),
    entry: join(built, 'inference-host.js'),
    runtimeDir: openRuntimeDir(dir),
    ladder: defaultSettings.ladder,
    lines: [{ device: 'cpu' }],
  });
  try {
    return await growth(engine, paths);
  } finally {
    await engine.stop();
    await images.stop();
    rmSync(openRuntimeDir(dir), { recursive: true, force: true });
  }
};

const onConceptEn = async (dir: string): Promise<readonly HostGrowth[]> => {
  const paths = await smallPhotos(dir, counts.conceptEn);
  return withCore((core) => withJudging(core, async (judging) => growth(await judging.engine(), paths)));
};

export const memory: Bench = async (say) => {
  const measure = async (name: string, run: (dir: string) => Promise<readonly HostGrowth[]>) => {
    const dir = mkdtempSync(join(tmpdir(), 'vouch-bench-memory-'));
    try {
      const hosts = await run(dir);
      for (const { host, earlyMb, endMb } of hosts) {
        say(`${name}, ${host} host: ${earlyMb.toFixed(0)} MB, then ${endMb.toFixed(0)} MB`);
      }
      return hosts;
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  };
  const fixture = await measure('fixture', onFixture);
  const conceptEn = await measure('concept-en', onConceptEn);
  const all = [...fixture, ...conceptEn];
  // A host that was started anew would hide what it lost.
  const restarts = all.reduce((sum, host) => sum + host.restarts, 0);
  return {
    ratios: { endToEarly: restarts > 0 ? null : Math.max(...all.map(({ ratio }) => ratio)) },
    restarts,
    photos: counts,
    hosts: { fixture, conceptEn },
  };
};
