/** What the app does by itself while nobody asks for anything: the application on the built hosts, without a window. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AppService } from '../../../main/app/app-service.ts';
import { keepSettings } from '../../../main/app/settings-keeper.ts';
import { machineMemory } from '../../../main/inference/machine-memory.ts';
import { writeReducedPack } from '../../fixtures/packs/fixture-packs.ts';
import { newHome, openService } from './service.ts';

const patient = { timeout: 120_000 };
let place: ReturnType<typeof newHome>;
let service: AppService;

beforeEach(() => {
  place = newHome();
});
afterEach(async () => {
  await service.close();
  place.remove();
});

/** On a pack of two precisions; it judges the bundled samples first, as at any first start. */
const open = async (): Promise<void> => {
  const { home } = place;
  const pack = writeReducedPack(join(home.packs, 'reduced'));
  const settings = keepSettings(home.settings);
  // This machine may be short of memory; then nothing is tried.
  settings.change({ engine: { model: pack.manifest.id }, ladder: { memoryFirst: 100, memorySecond: 100 } });
  service = await openService(home, { settings, idleMs: 300 });
  await service.engine.warmUp();
};
const reason = () => service.engine.state().precision?.reason;
const logged = (event: string) =>
  readFileSync(join(place.home.logs, 'vouch.jsonl'), 'utf8').split(`"event":"${event}"`).length - 1;

it('finds out the precision once it is idle, though a scan comes in between, and keeps it', async () => {
  await open();
  // The window shows what the engine goes by.
  const { totalBytes } = await machineMemory();
  await expect.poll(() => service.engine.state().memory, patient).toMatchObject({ totalBytes });
  // The first engine is the app's, the second that of a trial.
  await expect.poll(() => logged('engine_started'), patient).toBeGreaterThan(1);
  service.runs.soon({ folderIds: [], recheck: 'all', retryQuarantined: false });
  await expect.poll(() => service.runs.active(), patient).toBe(false);
  expect(service.runs.current()).toMatchObject({ status: 'done', photos: { quarantined: 0 } });
  await expect.poll(() => reason()?.code, patient).toBe('measured');
  const trials = ['fp32', 'int8'].map((precision) => ({ precision, agreement: 1 }));
  expect(reason()).toMatchObject({ params: { trials } });
  expect(logged('precision_chosen')).toBe(1);
}, 300_000);
