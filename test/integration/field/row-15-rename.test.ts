import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openField, place, until } from './field.ts';

it('row 15: a photo that is renamed or moved keeps its verdicts, reviews and flags', async () => {
  const field = await openField();
  const { store } = field;
  const folder = await field.folder();
  const first = await place(join(folder, 'a.jpg'), 1);
  await place(join(folder, 'b.jpg'), 2);
  const { told } = await field.watch(folder);
  const id = (await store.photos.idAt(first))!;
  const [pair] = (await store.results.photo(id))!.pairs;
  const decision = { kind: 'override', label: 'yes', note: 'mine', reviewer: 'me', at: Date.now() } as const;
  await store.reviews.add([{ verdict: pair!.current.id }], decision);
  await store.flags.set([{ photo: id, statementId: null }], 'look again', 'me', Date.now());

  renameSync(first, join(folder, 'renamed.jpg'));
  await until(() => told.gone.includes(first));
  expect(await store.photos.idAt(join(folder, 'renamed.jpg'))).toBe(id);

  mkdirSync(join(folder, 'below', 'deep'), { recursive: true });
  renameSync(join(folder, 'renamed.jpg'), join(folder, 'below', 'deep', 'renamed.jpg'));
  await until(() => told.gone.includes(join(folder, 'renamed.jpg')));
  // A folder that is renamed takes its photos along.
  renameSync(join(folder, 'below'), join(folder, 'above'));
  const last = join(folder, 'above', 'deep', 'renamed.jpg');
  await until(async () => (await store.photos.idAt(last)) !== null);
  await until(async () => (await field.alive(folder)).length === 2);

  expect(await store.photos.idAt(last)).toBe(id);
  expect(await store.reviews.list({ photo: id, limit: 9 })).toMatchObject([{ kind: 'override', note: 'mine' }]);
  expect(await store.flags.list(id)).toMatchObject([{ set: true, reason: 'look again' }]);
  const { pairs } = (await store.results.photo(id))!;
  expect(pairs.map(({ current }) => current.id)).toContain(pair!.current.id);
  expect(await store.upkeep.check()).toEqual({ ok: true, problems: [] });
});
