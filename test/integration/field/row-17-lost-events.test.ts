import fs, { unlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { keepNightly } from '../../../main/library/nightly.ts';
import { listBackups } from '../../../main/store/backup-files.ts';
import { openField, place, until } from './field.ts';

const real = fs.watch;
afterEach(() => {
  fs.watch = real;
  syncBuiltinESMExports();
});

it('row 17: what no event told of is found by the nightly look through the library', async () => {
  const field = await openField();
  const { store } = field;
  const folder = await field.folder();
  const leaving = await place(join(folder, 'leaving.jpg'), 1);
  await place(join(folder, 'staying.jpg'), 2);
  // The system accepts every watch, and never says a word.
  fs.watch = ((path: string, options: fs.WatchOptions) => real(path, options, () => undefined)) as typeof fs.watch;
  syncBuiltinESMExports();
  const { told, watch } = await field.watch(folder);
  expect(watch.state(folder)).toEqual({ mode: 'watching' });
  expect(await field.alive(folder)).toHaveLength(2);
  const coming = await place(join(folder, 'coming.jpg'), 3);
  unlinkSync(leaving);

  const failed: unknown[] = [];
  const night = async () => void (await field.scan(folder));
  const first = keepNightly(store, night, (error) => failed.push(error), 20);
  await until(async () => (await store.settings.get('nightDoneAt')) !== null);
  first.close();
  expect(await field.alive(folder)).toHaveLength(2);

  const dayBeforeYesterday = Date.now() - 2 * 86_400_000;
  await store.settings.set('nightDoneAt', dayBeforeYesterday);
  const nightly = keepNightly(store, night, (error) => failed.push(error), 20);
  await until(async () => String(await field.alive(folder)) === String([coming, join(folder, 'staying.jpg')]));
  nightly.close();
  expect(listBackups(join(dirname(folder), 'home'))).toHaveLength(1);
  expect(failed).toEqual([]);
  expect(told.failed).toEqual([]);
});
