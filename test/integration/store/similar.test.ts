import { describe, expect, it } from 'vitest';
import type { ResultFilter, ResultSort } from '../../../main/contract/result-filter.ts';
import { dogs, info, judged, judging, newHome, open, sha, verdict } from './open.ts';

const oldest: ResultSort = { by: 'path', direction: 'ascending' };

/** A hash that differs from another in the lowest `bits` bits. */
const near = (hash: string, bits: number): string => {
  const bytes = Buffer.from(hash, 'hex');
  for (let bit = 0; bit < bits; bit++) bytes[31 - (bit >> 3)]! ^= 1 << (bit & 7);
  return bytes.toString('hex');
};
const [cat, dog] = [sha('cat'), sha('dog')];

const library = async () => {
  const home = newHome();
  const store = await open(home);
  const [statement] = await dogs(store);
  const put = (name: string, changes: Parameters<typeof info>[0]) =>
    store.photos.recordJudged(judging(), [
      judged(`/photos/${name}`, name, [verdict(statement!, 'yes')], { info: info(changes) }),
    ]);
  const names = async (filter: ResultFilter, grouped = false) =>
    (await store.results.page({ filter, sort: oldest, grouped, cursor: null, limit: 100 })).items.map(
      ({ path, similar }) => `${path.slice('/photos/'.length)} ${similar}`,
    );
  return { home, store, put, names };
};

describe('photos that look alike', () => {
  it('are grouped with the one that the group began with, never by chains', async () => {
    const { store, put, names } = await library();
    await put('a.jpg', { perceptualHash: cat });
    await put('b.jpg', { perceptualHash: near(cat, 15) });
    // Near to b, too far from a.
    await put('c.jpg', { perceptualHash: near(cat, 20) });
    await put('d.jpg', { perceptualHash: dog });
    await put('e.jpg', { perceptualHash: null });
    await put('f.jpg', { perceptualHash: null });
    expect(await names({}, true)).toEqual(['a.jpg 2', 'c.jpg 1', 'd.jpg 1', 'e.jpg 1', 'f.jpg 1']);
    expect(await names({})).toEqual(['a.jpg 1', 'b.jpg 1', 'c.jpg 1', 'd.jpg 1', 'e.jpg 1', 'f.jpg 1']);
    const down = { by: 'path', direction: 'descending' } as const;
    const page = await store.results.page({ filter: {}, sort: down, grouped: true, cursor: null, limit: 3 });
    expect(page.total).toBe(5);
    expect(page.items.map(({ path, similar }) => [path, similar])).toEqual([
      ['/photos/f.jpg', 1],
      ['/photos/e.jpg', 1],
      ['/photos/d.jpg', 1],
    ]);
    const rest = await store.results.page({ filter: {}, sort: down, grouped: true, cursor: page.next, limit: 3 });
    expect(rest.items.map(({ path, similar }) => [path, similar])).toEqual([
      ['/photos/c.jpg', 1],
      ['/photos/b.jpg', 2],
    ]);
  });

  it('open into all of their group, and only matching photos count', async () => {
    const { store, put, names } = await library();
    await put('a.jpg', { perceptualHash: cat, camera: 'One' });
    await put('b.jpg', { perceptualHash: near(cat, 3), camera: 'Two' });
    await put('c.jpg', { perceptualHash: near(cat, 5), camera: 'Two' });
    await put('d.jpg', { perceptualHash: dog, camera: 'Two' });
    const id = (await store.photos.idAt('/photos/c.jpg'))!;
    expect(await names({ similarTo: id })).toEqual(['a.jpg 1', 'b.jpg 1', 'c.jpg 1']);
    expect(await names({ camera: 'Two' }, true)).toEqual(['b.jpg 2', 'd.jpg 1']);
    await store.photos.markGone(['/photos/a.jpg']);
    expect(await names({}, true)).toEqual(['b.jpg 2', 'd.jpg 1']);
  });

  it('are found again after the database was opened anew, and a photo keeps its group', async () => {
    const { home, store, put } = await library();
    await put('a.jpg', { perceptualHash: cat });
    await store.close();
    const again = await open(home);
    const [statement] = await dogs(again);
    await again.photos.recordJudged(judging(), [
      judged('/photos/b.jpg', 'b.jpg', [verdict(statement!, 'no')], { info: info({ perceptualHash: near(cat, 9) }) }),
      judged('/photos/a.jpg', 'a.jpg', [verdict(statement!, 'no')], { info: info({ perceptualHash: cat }) }),
    ]);
    const { items } = await again.results.page({ filter: {}, sort: oldest, grouped: true, cursor: null, limit: 9 });
    expect(items.map(({ similar }) => similar)).toEqual([2]);
  });
});

describe('what cameras wrote', () => {
  it('narrows results, together with the other filters', async () => {
    const { store, put, names } = await library();
    const big = { width: 4000, height: 3000 };
    await put('a.jpg', { takenAt: '2024-05-06T07:08:09+02:00', camera: 'One', hasGps: true, ...big });
    await put('b.jpg', { takenAt: '2024-05-06T23:59:59', camera: 'Two', ...big });
    await put('c.jpg', { takenAt: '2024-05-07T00:00:00', camera: 'Two', hasGps: true });
    await put('d.jpg', { takenAt: null, camera: null });
    expect(await names({ takenFrom: '2024-05-06', takenTo: '2024-05-06' })).toEqual(['a.jpg 1', 'b.jpg 1']);
    expect(await names({ takenFrom: '2024-05-07' })).toEqual(['c.jpg 1']);
    expect(await names({ takenTo: '2024-05-06' })).toEqual(['a.jpg 1', 'b.jpg 1']);
    expect(await names({ camera: 'Two' })).toEqual(['b.jpg 1', 'c.jpg 1']);
    expect(await names({ hasGps: true })).toEqual(['a.jpg 1', 'c.jpg 1']);
    expect(await names({ hasGps: false })).toEqual(['b.jpg 1', 'd.jpg 1']);
    expect(await names({ minPixels: 12_000_000 })).toEqual(['a.jpg 1', 'b.jpg 1']);
    expect(await names({ camera: 'Two', hasGps: true, labels: ['yes'], text: 'c.' })).toEqual(['c.jpg 1']);
    expect(await names({ camera: 'Two', labels: ['no'] })).toEqual([]);
    const counts = await store.results.counts({ camera: 'Two' });
    expect([counts.photos, counts.labels.yes]).toEqual([2, 2]);
    expect(await store.results.cameras()).toEqual([
      { camera: 'One', photos: 1 },
      { camera: 'Two', photos: 2 },
    ]);
  });
});
