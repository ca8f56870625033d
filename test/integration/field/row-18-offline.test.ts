import { mkdirSync, readdirSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openField, place, quick, until } from './field.ts';

const count = 3;
const filled = async () => {
  const field = await openField();
  const folder = await field.folder();
  for (let i = 0; i < count; i++) await place(join(folder, `${i}.jpg`), i);
  return { field, folder };
};
const stateOf = async ({ store }: Awaited<ReturnType<typeof openField>>, folder: string) =>
  (await store.folders.list()).find(({ path }) => path === folder)?.state;

it('row 18: a watched folder that goes is offline, keeps its photos, and is followed again when it is back', async () => {
  const { field, folder } = await filled();
  const { told, watch } = await field.watch(folder);
  const before = (await field.store.upkeep.figures()).verdicts;
  renameSync(folder, `${folder}-unplugged`);
  await until(() => watch.state(folder)?.mode === 'offline');
  await pause(quick.settleMs * 4);
  expect(await stateOf(field, folder)).toBe('offline');
  expect(await field.alive(folder)).toHaveLength(count);
  expect(told.gone).toEqual([]);

  await place(join(`${folder}-unplugged`, 'new.jpg'), 9);
  renameSync(`${folder}-unplugged`, folder);
  await until(() => watch.state(folder)?.mode === 'watching');
  await until(async () => (await field.alive(folder)).length === count + 1);
  expect(await stateOf(field, folder)).toBe('ok');
  // Nothing was judged anew but the one that is new.
  expect((await field.store.upkeep.figures()).verdicts).toBe(before + field.statements.length);
});

it('row 18: the empty place of a disk that is not mounted is no empty folder', async () => {
  const { field, folder } = await filled();
  await field.scan(folder);
  // As after a restart without the disk: the same path, empty, on another device.
  await field.store.folders.upsert(folder, { settings: { device: 'that of the disk' } });
  renameSync(folder, `${folder}-unplugged`);
  mkdirSync(folder);
  const { photos } = await field.scan(folder);
  expect(photos.found).toBe(0);
  expect(await stateOf(field, folder)).toBe('offline');
  expect(await field.alive(folder)).toHaveLength(count);
  const { watch } = await field.watch(folder);
  expect(watch.state(folder)).toEqual({ mode: 'offline' });
});

it('row 18: a folder that was emptied on its own disk is empty', async () => {
  const { field, folder } = await filled();
  await field.scan(folder);
  for (const name of readdirSync(folder)) unlinkSync(join(folder, name));
  await field.scan(folder);
  expect(await stateOf(field, folder)).toBe('ok');
  expect(await field.alive(folder)).toEqual([]);
});
