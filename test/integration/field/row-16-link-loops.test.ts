import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openField, place, until } from './field.ts';

it('row 16: links are not followed unless the folder says so', async () => {
  const field = await openField();
  const folder = await field.folder();
  const elsewhere = await field.folder();
  await place(join(elsewhere, 'far.jpg'), 1);
  await place(join(folder, 'near.jpg'), 2);
  symlinkSync(elsewhere, join(folder, 'link'));
  symlinkSync(join(elsewhere, 'far.jpg'), join(folder, 'far.jpg'));
  const { photos } = await field.scan(folder);
  expect(photos).toMatchObject({ found: 1, judged: 1 });
  expect(await field.alive(folder)).toEqual([join(folder, 'near.jpg')]);
});

it('row 16: followed links that lead back end, and each photo is found at one path', async () => {
  const field = await openField();
  const folder = await field.folder();
  const elsewhere = await field.folder();
  await place(join(folder, 'a', '1.jpg'), 1);
  await place(join(folder, 'b', '2.jpg'), 2);
  await place(join(elsewhere, 'album', '3.jpg'), 3);
  symlinkSync(folder, join(folder, 'a', 'self'));
  symlinkSync(join(folder, 'b'), join(folder, 'a', 'to-b'));
  symlinkSync(join(folder, 'a'), join(folder, 'b', 'to-a'));
  symlinkSync(elsewhere, join(folder, 'far'));
  symlinkSync(folder, join(elsewhere, 'album', 'back'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'broken.jpg'));
  await field.store.folders.upsert(folder, { settings: { followLinks: true } });
  const { photos } = await field.scan(folder);
  expect(photos).toMatchObject({ found: 3, judged: 3, quarantined: 0 });
  const wanted = ['a/1.jpg', 'b/2.jpg', 'far/album/3.jpg'].map((name) => join(folder, name));
  expect(await field.alive(folder)).toEqual(wanted);

  const { watch, told } = await field.watch(folder);
  expect(watch.state(folder)).toEqual({ mode: 'watching' });
  await place(join(elsewhere, 'album', '4.jpg'), 4);
  await until(() => told.judged.length > 0);
  expect(await field.store.photos.idAt(join(folder, 'far', 'album', '4.jpg'))).toBe(told.judged[0]);
});
