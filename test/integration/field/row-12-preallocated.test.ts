import { closeSync, ftruncateSync, futimesSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openField, photo, quick, until } from './field.ts';

it('row 12: a file that has its whole size from the start is judged when its bytes are there', async () => {
  const field = await openField();
  const folder = await field.folder();
  const { told } = await field.watch(folder);
  const bytes = await photo(1);
  const path = join(folder, 'share.jpg');
  const file = openSync(path, 'w');
  ftruncateSync(file, bytes.length);
  const part = Math.ceil(bytes.length / 6);
  for (let at = 0; at < bytes.length; at += part) {
    await pause(quick.settleMs / 2);
    writeSync(file, bytes, at, Math.min(part, bytes.length - at), at);
  }
  closeSync(file);
  await until(() => told.judged.length > 0);
  const id = (await field.store.photos.idAt(path))!;
  expect(told.judged).toEqual([id]);
  expect((await field.store.results.photo(id))!.photo.damaged).toBe(false);
  expect(told.quarantined).toEqual([]);
});

it('row 12: where size and time stand still as well, the decoder tells that the photo is not whole', async () => {
  const field = await openField();
  const folder = await field.folder();
  const { told } = await field.watch(folder);
  const bytes = await photo(2);
  const path = join(folder, 'share.jpg');
  const file = openSync(path, 'w');
  const half = Math.floor(bytes.length / 2);
  ftruncateSync(file, bytes.length);
  writeSync(file, bytes, 0, half, 0);
  const then = new Date(2020, 1, 1);
  futimesSync(file, then, then);
  await pause(quick.settleMs * 4);
  expect(told.judged).toEqual([]);
  writeSync(file, bytes, half, bytes.length - half, half);
  futimesSync(file, then, then);
  closeSync(file);
  await until(() => told.judged.length > 0);
  const id = (await field.store.photos.idAt(path))!;
  expect((await field.store.results.photo(id))!.photo.damaged).toBe(false);
});
