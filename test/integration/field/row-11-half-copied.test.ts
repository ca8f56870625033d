import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openField, photo, quick, until } from './field.ts';

it('row 11: a file that is still being copied is judged once, and only when it is whole', async () => {
  const field = await openField();
  const folder = await field.folder();
  const { told } = await field.watch(folder);
  const bytes = await photo(1);
  const file = join(folder, 'slow.jpg');
  const part = Math.ceil(bytes.length / 8);
  writeFileSync(file, bytes.subarray(0, part));
  for (let at = part; at < bytes.length; at += part) {
    await pause(quick.settleMs / 3);
    appendFileSync(file, bytes.subarray(at, at + part));
  }
  await until(() => told.judged.length > 0);
  const id = (await field.store.photos.idAt(file))!;
  expect(told.judged).toEqual([id]);
  expect((await field.store.results.photo(id))!.photo.damaged).toBe(false);
  expect(told.quarantined).toEqual([]);
});

it('row 11: a copy that stalls for longer than it takes to settle is decoded in vain, and awaited', async () => {
  const field = await openField();
  const folder = await field.folder();
  const { told, watch } = await field.watch(folder);
  const bytes = await photo(2);
  const file = join(folder, 'stalled.jpg');
  writeFileSync(file, bytes.subarray(0, bytes.length / 2));
  await pause(quick.settleMs * 4);
  expect(told).toMatchObject({ judged: [], quarantined: [] });
  appendFileSync(file, bytes.subarray(bytes.length / 2));
  await until(() => told.judged.length > 0 && !watch.busy());
  const id = (await field.store.photos.idAt(file))!;
  expect((await field.store.results.photo(id))!.photo.damaged).toBe(false);
});

it('row 11: what never becomes whole is taken for what it is after a few tries', async () => {
  const field = await openField();
  const folder = await field.folder();
  const { told } = await field.watch(folder);
  const bytes = await photo(3);
  writeFileSync(join(folder, 'half.jpg'), bytes.subarray(0, bytes.length / 2));
  writeFileSync(join(folder, 'empty.jpg'), '');
  writeFileSync(join(folder, 'text.jpg'), 'no photo at all');
  await until(() => told.quarantined.length === 2 && told.judged.length === 1);
  expect(told.quarantined.map(({ reason }) => reason.code).sort()).toEqual(['empty_file', 'not_an_image']);
  expect((await field.store.results.photo(told.judged[0]!))!.photo.damaged).toBe(true);
  // Mended, it is judged again.
  writeFileSync(join(folder, 'empty.jpg'), await photo(4));
  await until(async () => (await field.store.quarantine.list(folder)).length === 1);
});
