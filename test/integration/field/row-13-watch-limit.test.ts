import { mkdirSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { watchFix } from '../../../main/words/english.ts';
import { openField, place, until } from './field.ts';
import { limitNativeWatch, type NativeWatch } from './native-watch.ts';

let native: NativeWatch | undefined;
afterEach(() => native?.restore());

it('row 13: when the system has no more watches, the folder is looked through from time to time', async () => {
  const field = await openField();
  const folder = await field.folder();
  for (const name of ['a', 'b', 'c', 'd']) await place(join(folder, name, '1.jpg'), name.charCodeAt(0));
  native = limitNativeWatch(3);
  const { told, watch } = await field.watch(folder);
  await until(() => watch.state(folder)?.mode === 'polling');
  expect(watch.state(folder)).toEqual({ mode: 'polling', limit: 'watches' });
  expect(watchFix(watch.state(folder)!)).toContain('sudo sysctl fs.inotify.max_user_watches=');
  await until(async () => (await field.alive(folder)).length === 4);

  await place(join(folder, 'e', '2.jpg'), 7);
  renameSync(join(folder, 'a', '1.jpg'), join(folder, 'b', '2.jpg'));
  unlinkSync(join(folder, 'd', '1.jpg'));
  const wanted = ['b/1.jpg', 'b/2.jpg', 'c/1.jpg', 'e/2.jpg'].map((name) => join(folder, name));
  await until(async () => String(await field.alive(folder)) === String(wanted));
  expect(told.failed).toEqual([]);
});

it('row 13: excluded, hidden and system folders are never watched, so they cost no watches', async () => {
  const field = await openField();
  const folder = await field.folder();
  await place(join(folder, 'kept', '1.jpg'), 1);
  const never = ['.git/objects', '@eaDir/x', '.thumbnails/y', '$RECYCLE.BIN/z', 'raw/2024', 'kept/cache/deep'];
  for (const [i, name] of never.entries()) await place(join(folder, name, 'no.jpg'), 10 + i);
  await field.store.folders.upsert(folder, { settings: { exclude: ['raw', 'kept/cache'] } });
  native = limitNativeWatch(1000);
  const { told } = await field.watch(folder);
  await until(async () => (await field.alive(folder)).length === 1);
  expect([...new Set(native.folders)].sort()).toEqual([folder, join(folder, 'kept')]);

  mkdirSync(join(folder, 'kept', 'cache', 'new'));
  await place(join(folder, 'raw', 'late.jpg'), 20);
  await place(join(folder, 'kept', '2.jpg'), 21);
  await until(async () => (await field.alive(folder)).length === 2);
  expect([...new Set(native.folders)].sort()).toEqual([folder, join(folder, 'kept')]);
  expect(await field.alive(folder)).toEqual(['1.jpg', '2.jpg'].map((name) => join(folder, 'kept', name)));
  expect(told.quarantined).toEqual([]);
});
