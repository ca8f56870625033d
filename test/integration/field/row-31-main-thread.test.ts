import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { dogs, judged, judging, open, verdict } from '../store/open.ts';

const photos = 3000;

it('row 31: writing runs in a thread of its own, in batches that are whole, while this one stays free', async () => {
  const store = await open();
  const [dog, cat] = await dogs(store);
  const files = Array.from({ length: photos }, (_, i) =>
    judged(`/p/${i}.jpg`, `photo ${i}`, [verdict(dog!, 'yes'), verdict(cat!, 'no')]),
  );
  let turns = 0;
  let writing = true;
  const count = () => {
    turns++;
    if (writing) setImmediate(count);
  };
  setImmediate(count);
  const recorded = store.photos.recordJudged(judging(), files);
  const counted = store.verdicts.countByLabel();
  await recorded;
  writing = false;
  // Had it been written here, no turn would have come in between.
  expect(turns).toBeGreaterThan(100);
  expect(await counted).toEqual({ yes: photos, no: photos, maybe: 0 });
  const loaded = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('better-sqlite3'));
  expect(loaded).toEqual([]);

  // A batch that fails leaves nothing of itself.
  const broken = [
    judged('/p/new.jpg', 'new', [verdict(dog!, 'yes')]),
    judged('/p/bad.jpg', 'bad', [verdict({ ...dog!, key: 99_999 }, 'yes')]),
  ];
  await expect(store.photos.recordJudged(judging(), broken)).rejects.toBeDefined();
  expect(await store.photos.idAt('/p/new.jpg')).toBeNull();
  expect((await store.upkeep.check()).problems).toEqual([]);
});
