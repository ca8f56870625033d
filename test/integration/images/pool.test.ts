import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SpawnHost } from '../../../main/hosts/host.ts';
import type { HostEvent } from '../../../main/hosts/host-events.ts';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import { type ImagePool, openImagePool, type PoolClaim } from '../../../main/images/core/pool.ts';
import { writeImageFiles } from '../../fixtures/images/make.ts';
import { openPixelSink, type PixelSink } from '../../fixtures/images/pixel-sink.ts';
import { config } from '../../fixtures/images/seen.ts';

const entry = new URL('../../../main/images/host/image-host.ts', import.meta.url).pathname;
const usual: PoolClaim = { priority: 'normal', hostMemoryMb: 0 };
const delivery = {
  priority: 'bulk',
  client: 'test',
  deadlineAt: null,
  operation: { kind: 'encode', parts: [] },
} as const;

let dir: string;
let sink: PixelSink;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vouch-pool-'));
  await writeImageFiles(join(dir, 'photos'));
  sink = await openPixelSink(dir);
});
afterAll(() => {
  sink.close();
  rmSync(dir, { recursive: true, force: true });
});

let started: string[];
let pool: ImagePool;
let events: HostEvent[];
const open = (size = 1) => {
  started = [];
  events = [];
  const spawn: SpawnHost = (file, options) => {
    started.push(options.name);
    return spawnNode()(file, options);
  };
  const times = { lookEveryMs: 100, youngMs: 500 };
  const tell = (event: HostEvent) => void events.push(event);
  pool = openImagePool({ spawn, entry, limits: config.limits, size, tell, hostMemoryTimes: times });
};
beforeEach(() => async () => pool.stop());

const photo = (name: string): string => join(dir, 'photos', name);
const prepare = async (name: string) => {
  const job = pool.newJob();
  const identified = await pool.identify(job, photo(name));
  const target = { views: config.views, address: sink.address, prescreen: null };
  return identified.ok ? pool.prepare(job, target, delivery) : identified;
};
const pids = () => pool.hosts().map(({ pid }) => pid);

describe('the pool of image hosts', () => {
  it('starts no host before one is needed, shares them among claims, and ends them with the last', async () => {
    open(2);
    expect(started).toEqual([]);
    const first = pool.claim(usual);
    expect(started).toEqual(['image host 1', 'image host 2']);
    const before = pids();
    const second = pool.claim(usual);
    await first();
    await first();
    expect(await prepare('plain.jpg')).toMatchObject({ ok: true, sent: true });
    expect(pids()).toEqual(before);
    expect(started.length).toBe(2);
    await second();
    expect(pool.hosts()).toEqual([]);
    await expect(prepare('plain.jpg')).rejects.toMatchObject({ stopped: true });
    pool.claim(usual);
    expect(await prepare('plain.jpg')).toMatchObject({ ok: true, sent: true });
  });

  it('draws previews and tiles however busy the hosts are with photos', async () => {
    open();
    pool.claim(usual);
    expect(await prepare('plain.jpg')).toMatchObject({ ok: true });
    expect(started).toEqual(['image host 1']);
    const [pid] = pids();
    process.kill(pid!, 'SIGSTOP');
    const bulk = prepare('plain.png');
    try {
      expect(await pool.preview(photo('plain.jpg'), 256, join(dir, 'seen.webp'))).toMatchObject({ ok: true });
      const tile = { level: 0, column: 0, row: 0 };
      expect(await pool.tile(photo('plain.jpg'), tile, join(dir, 'tile.webp'))).toMatchObject({ ok: true });
      expect(started).toEqual(['image host 1', 'picture host']);
    } finally {
      process.kill(pid!, 'SIGCONT');
    }
    expect(await bulk).toMatchObject({ ok: true });
  });

  it.skipIf(process.platform !== 'linux')('replaces a host that holds more than anybody allows', async () => {
    open();
    pool.claim(usual);
    expect(await prepare('plain.jpg')).toMatchObject({ ok: true });
    const before = pids();
    // Any process holds more than that.
    const strict = pool.claim({ priority: 'normal', hostMemoryMb: 1 });
    const over = () => events.filter(({ kind }) => kind === 'over_memory').length;
    await expect.poll(over, { timeout: 60_000 }).toBeGreaterThan(0);
    await strict();
    expect(await prepare('plain.jpg')).toMatchObject({ ok: true });
    expect(pids()).not.toEqual(before);
    const ends = events.flatMap((event) => (event.kind === 'host_down' ? [event.how] : []));
    expect(new Set(ends)).toEqual(new Set(['recycled']));
  });
});
