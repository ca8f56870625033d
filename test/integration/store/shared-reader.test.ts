import { afterEach, expect, it } from 'vitest';
import { VouchFailure } from '../../../main/failure.ts';
import { openSharedReader, type SharedReader } from '../../../main/store/core/shared-reader.ts';
import type { Store } from '../../../main/store/types.ts';
import { dogs, judged, judging, newHome, open, tryOpen, verdict } from './open.ts';

const readers: SharedReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.close();
});

const readerOf = (home: string) => {
  const opened: Store[] = [];
  const reader = openSharedReader(`${home}/vouch.db`, async () => {
    const result = await tryOpen(home, 'read');
    if (!result.ok) throw new VouchFailure(result.error);
    opened.push(result.store);
    return result.store;
  });
  readers.push(reader);
  return { reader, opened, photos: () => reader.read(async (store) => (await store.upkeep.figures()).photos) };
};

const filled = async (home: string): Promise<Store> => {
  const store = await open(home);
  const [dog] = await dogs(store);
  await store.photos.recordJudged(judging(), [judged('/p/a.jpg', 'one', [verdict(dog!, 'yes')])]);
  return store;
};

it('is opened once for all who read, and sees what is written meanwhile', async () => {
  const home = newHome();
  const store = await filled(home);
  const { photos, opened } = readerOf(home);
  expect(await Promise.all(Array.from({ length: 20 }, photos))).toEqual(Array(20).fill(1));
  await store.photos.recordJudged(judging(), [judged('/p/b.jpg', 'two', [])]);
  expect(await photos()).toBe(2);
  expect(opened).toHaveLength(1);
});

it('is opened anew where a backup has taken the place of the database, once what reads the old one has ended', async () => {
  const home = newHome();
  const store = await filled(home);
  const { file } = await store.upkeep.backup();
  await store.photos.recordJudged(judging(), [judged('/p/b.jpg', 'two', [])]);
  const { reader, photos, opened } = readerOf(home);
  let restored = () => {};
  const waiting = new Promise<void>((resolve) => {
    restored = resolve;
  });
  const slow = reader.read(async (old) => {
    await old.upkeep.figures();
    await waiting;
    return (await old.upkeep.figures()).photos;
  });
  expect(await photos()).toBe(2);
  await store.upkeep.restore(file);
  expect(await photos()).toBe(1);
  restored();
  expect(await slow).toBe(2);
  expect(opened).toHaveLength(2);
});

it('says that there is nothing to read yet, and reads it once there is', async () => {
  const home = newHome();
  const { photos } = readerOf(home);
  await expect(photos()).rejects.toMatchObject({ error: { code: 'store_missing' } });
  await filled(home);
  expect(await photos()).toBe(1);
});

it('is opened anew after it has ended, and ends when it is closed', async () => {
  const home = newHome();
  await filled(home);
  const { reader, photos, opened } = readerOf(home);
  expect(await photos()).toBe(1);
  await opened[0]!.close();
  await expect(photos()).rejects.toMatchObject({ error: { code: 'store_closed' } });
  expect(await photos()).toBe(1);
  await reader.close();
  await expect(opened[1]!.upkeep.figures()).rejects.toMatchObject({ error: { code: 'store_closed' } });
});
