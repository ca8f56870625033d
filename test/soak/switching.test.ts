/** The app's own scan while its settings are switched and its hosts are killed, at random: nothing is lost by it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePhotos, type PhotoFolder } from '../../build/bench/photos.ts';
import { type AppService, openAppService } from '../../main/app/app-service.ts';
import { keepSettings } from '../../main/app/settings-keeper.ts';
import type { SettingsChange } from '../../main/contract/settings.ts';
import { locateHome, makeHome } from '../../main/home.ts';
import { spawnNode } from '../../main/hosts/spawn-node.ts';

const root = resolve(import.meta.dirname, '..', '..');
const count = 400;
const statements = 300;
const mostActs = 200;
const patient = { timeout: 600_000 };
let photos: PhotoFolder;
let dir: string;
let service: AppService;

beforeAll(async () => {
  photos = await makePhotos(count, 300, 225);
  dir = mkdtempSync(join(tmpdir(), 'vouch-switching-'));
  const home = locateHome(join(dir, 'home'));
  makeHome(home);
  const settings = keepSettings(home.settings);
  settings.change({
    engine: { tryPrecisions: false },
    ladder: { memoryFirst: 100, memorySecond: 100, probeAgainMs: 2000 },
  });
  service = await openAppService({
    ...{ home, settings, root, tell: () => undefined, decoder: 'native', backup: null },
    entries: join(root, 'dist', 'main'),
    spawn: spawnNode(),
    spawnImage: spawnNode(),
  });
}, 300_000);
afterAll(async () => {
  await service.close();
  photos.remove();
  rmSync(dir, { recursive: true, force: true });
});

const changes: readonly SettingsChange[] = [
  { engine: { precision: 'int8' } },
  { engine: { precision: 'fp16' } },
  { engine: { precision: 'fp32' } },
  { engine: { device: 'cuda', deviceIndex: 7 } },
  { engine: { device: 'cpu', deviceIndex: 7 } },
  { engine: { device: 'auto', deviceIndex: 0 } },
  { engine: { batch: 5 } },
  { engine: { batch: 64, maxDelayMs: 1000 } },
  { engine: { batch: 'auto', maxDelayMs: 0 } },
  { engine: { threads: 1 } },
  { engine: { threads: 3, priority: 'low' } },
  { ladder: { pinned: 1 } },
  { ladder: { pinned: null } },
  { ladder: { pinned: 2 } },
  { ladder: { pinned: 3 } },
  { ladder: { pinned: null } },
  { ladder: { pinned: 4 } },
  { ladder: { pinned: null } },
];
const anyOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;

const killOne = (): boolean => {
  const pid = anyOf(service.judging.opened()?.startedEngine()?.stats().hosts ?? [])?.pid;
  try {
    return pid !== undefined && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
};

it('judges every pair once, with no photo given up', async () => {
  await expect.poll(() => service.runs.active(), patient).toBe(false);
  const { model } = service.settings.now().engine;
  const entries = Array.from({ length: statements }, (_, i) => ({ text: `a cat and ${i + 2} dogs` }));
  const added = await service.store.statements.addTo('many', entries, model);
  await service.store.folders.upsert(photos.dir, {});
  service.runs.soon({ folderIds: [photos.dir], recheck: 'none', retryQuarantined: false });

  let kills = 0;
  const done = () => service.runs.current()?.photos.done ?? 0;
  for (let act = 0; act < mostActs && service.runs.active() && done() < count / 2; act += 1) {
    if (Math.random() < 0.5) kills += Number(killOne());
    else service.settings.change(anyOf(changes));
    await pause(500 + Math.random() * 3000);
  }
  console.log(`${kills} hosts killed, ${done()} of ${count} photos done meanwhile`);
  expect(kills).toBeGreaterThan(0);
  expect(done()).toBeGreaterThan(0);
  service.settings.change({ engine: { device: 'auto', precision: 'fp32', batch: 'auto' }, ladder: { pinned: null } });
  await expect.poll(() => service.runs.active(), patient).toBe(false);
  expect(service.runs.current()).toMatchObject({
    status: 'done',
    photos: { found: count, done: count, quarantined: 0 },
  });

  const stats = () => service.judging.opened()?.startedEngine()?.stats();
  await expect.poll(() => stats()?.degradation, patient).toEqual([]);
  service.runs.soon({ folderIds: [photos.dir], recheck: 'degraded', retryQuarantined: false });
  await expect.poll(() => service.runs.active(), patient).toBe(false);
  expect(stats()?.inEngine).toBe(0);

  const one = { statement: added[0]!.id };
  expect((await service.store.verdicts.list(one, { limit: 1 })).total).toBeGreaterThanOrEqual(count);
  const { total } = await service.store.verdicts.list({ path: `${photos.dir}/**` }, { limit: 1 });
  expect(total % count).toBe(0);
  expect(total).toBeGreaterThanOrEqual(count * statements);
  const degraded = await service.store.verdicts.list({ degraded: true }, { limit: 1 });
  expect(degraded.total).toBe(0);
  expect(await service.store.upkeep.check()).toEqual({ ok: true, problems: [] });
});
