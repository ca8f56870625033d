import { describe, expect, it } from 'vitest';
import type { ResultFilter, ResultSort } from '../../../main/contract/result-filter.ts';
import { VouchFailure } from '../../../main/failure.ts';
import type { Store } from '../../../main/store/types.ts';
import { dogs, info, judged, judging, newHome, open, verdict } from './open.ts';

const newest: ResultSort = { by: 'judgedAt', direction: 'descending' };

/** 40 photos in two folders, each judged on two statements; every fifth damaged, every fourth dated. */
const library = async () => {
  const store = await open(newHome());
  const [dog, cat] = await dogs(store);
  for (let batch = 0; batch < 4; batch++) {
    const files = Array.from({ length: 10 }, (_, i) => {
      const n = batch * 10 + i;
      return judged(
        `/photos/${n % 2 ? 'odd' : 'even'}/${String(n).padStart(2, '0')}.jpg`,
        `photo ${n}`,
        [
          verdict(dog!, (['yes', 'no', 'maybe'] as const)[n % 3]!, { confidence: n % 7 === 0 ? null : (n % 10) / 10 }),
          verdict(cat!, 'no', { grade: 'medium', wantsReview: true, confidence: null }),
        ],
        { info: info({ damaged: n % 5 === 0, takenAt: n % 4 === 0 ? `2024-01-${10 + (n % 20)}T10:00:00` : null }) },
      );
    });
    await store.photos.recordJudged(judging({ at: 1_750_000_000_000 + batch }), files);
  }
  await store.folders.upsert('/photos/odd', {});
  await store.folders.upsert('/photos', {});
  const sets = await store.statements.list();
  const ids = sets.flatMap(({ statements }) => statements).map(({ id, text }) => ({ id, text }));
  return { store, ids };
};

const allPages = async (store: Store, filter: ResultFilter, sort: ResultSort, limit: number) => {
  const items = [];
  let cursor: string | null = null;
  let total = 0;
  do {
    const page = await store.results.page({ filter, sort, cursor, limit });
    items.push(...page.items);
    total = page.total;
    cursor = page.next;
  } while (cursor !== null);
  return { items, total };
};

describe('results by photo', () => {
  it('gives every photo once in every order, and counts as many', async () => {
    const { store } = await library();
    for (const by of ['path', 'takenAt', 'judgedAt', 'confidence'] as const) {
      for (const direction of ['ascending', 'descending'] as const) {
        for (const limit of [7, 40, 500]) {
          const { items, total } = await allPages(store, {}, { by, direction }, limit);
          expect(total).toBe(40);
          expect(new Set(items.map(({ photoId }) => photoId)).size).toBe(40);
          expect(items.every(({ chips }) => chips.length === 2)).toBe(true);
        }
      }
    }
    const byPath = await allPages(store, {}, { by: 'path', direction: 'descending' }, 9);
    const paths = byPath.items.map(({ path }) => path);
    expect(paths).toEqual(paths.toSorted().reverse());
    const byDate = await allPages(store, {}, { by: 'takenAt', direction: 'ascending' }, 9);
    const dates = byDate.items.map(({ takenAt }) => takenAt);
    expect(dates.slice(0, 10)).toEqual(dates.slice(0, 10).toSorted());
    expect(dates.slice(10).every((date) => date === null)).toBe(true);
    await store.close();
  });

  it('finds the photos of which one pair meets all of the filter', async () => {
    const { store, ids } = await library();
    const dog = ids.find(({ text }) => text === 'a dog')!.id;
    const cat = ids.find(({ text }) => text === 'a cat')!.id;
    const count = async (filter: ResultFilter) => (await allPages(store, filter, newest, 500)).total;
    expect(await count({ statementIds: [dog], labels: ['yes'] })).toBe(14);
    expect(await count({ labels: ['yes'] })).toBe(14);
    expect(await count({ statementIds: [cat], labels: ['yes'] })).toBe(0);
    expect(await count({ statementIds: [dog, cat], labels: ['yes', 'maybe'] })).toBe(27);
    expect(await count({ grades: ['medium'] })).toBe(40);
    expect(await count({ statementIds: [dog], grades: ['medium'] })).toBe(0);
    expect(await count({ folderId: '/photos/odd' })).toBe(20);
    expect(await count({ folderId: '/photos/odd', labels: ['yes'] })).toBe(7);
    expect(await count({ damaged: true })).toBe(8);
    expect(await count({ text: 'EVEN/1' })).toBe(5);
    expect(await count({ text: '%' })).toBe(0);
    expect(await count({ text: '_' })).toBe(0);
    expect(await count({ setId: 'no such set' })).toBe(0);
    expect(await count({ labels: [], statementIds: [] })).toBe(40);
    const { items } = await allPages(store, { labels: ['yes'] }, newest, 500);
    expect(items.every(({ chips }) => chips[0]?.statementId === dog && chips[0].effectiveLabel === 'yes')).toBe(true);
    await store.close();
  });

  it('counts what the pages hold', async () => {
    const { store, ids } = await library();
    const filters: readonly ResultFilter[] = [{}, { labels: ['yes'] }, { folderId: '/photos/odd' }, { text: '0.jpg' }];
    for (const filter of filters) {
      const { items, total } = await allPages(store, filter, newest, 500);
      const counts = await store.results.counts(filter);
      expect(counts.photos).toBe(total);
      expect(counts.damaged).toBe(items.filter(({ damaged }) => damaged).length);
      const { yes, no, maybe } = counts.labels;
      const chips = items.flatMap((item) => item.chips);
      const wanted = filter.labels ? chips.filter(({ effectiveLabel }) => effectiveLabel === 'yes') : chips;
      expect(yes + no + maybe).toBe(wanted.length);
      expect(counts.statements.every(({ statementId }) => ids.some(({ id }) => id === statementId))).toBe(true);
      expect(counts.folders).toEqual([
        { folderId: '/photos', photos: total },
        { folderId: '/photos/odd', photos: items.filter(({ path }) => path.startsWith('/photos/odd/')).length },
      ]);
    }
    await store.close();
  });

  it('follows reviews, and refuses a cursor that is none', async () => {
    const { store, ids } = await library();
    const dog = ids.find(({ text }) => text === 'a dog')!.id;
    const filter = { statementIds: [dog], labels: ['no' as const] };
    const before = await store.results.page({ filter, sort: newest, cursor: null, limit: 500 });
    const chip = before.items[0]!.chips[0]!;
    await store.reviews.add([{ verdict: chip.verdictId }], { kind: 'override', label: 'yes', reviewer: 'me', at: 1 });
    const after = await store.results.page({ filter, sort: newest, cursor: null, limit: 500 });
    expect(after.total).toBe(before.total - 1);
    const photo = await store.results.photo(before.items[0]!.photoId);
    expect(photo?.pairs.find(({ statementId }) => statementId === dog)).toMatchObject({
      effectiveLabel: 'yes',
      wantsReview: false,
      current: { id: chip.verdictId, label: 'no' },
    });
    await expect(store.results.page({ filter, sort: newest, cursor: 'nonsense', limit: 5 })).rejects.toThrow(
      VouchFailure,
    );
    await store.close();
  });

  it('tells what a folder holds that no other one does', async () => {
    const { store } = await library();
    expect(await store.results.removal('/photos/odd')).toEqual({ photos: 0, verdicts: 0, reviews: 0 });
    await store.folders.remove('/photos');
    expect(await store.results.removal('/photos/odd')).toEqual({ photos: 20, verdicts: 40, reviews: 0 });
    expect(await store.results.pathsOnlyUnder('/photos/odd')).toHaveLength(20);
    expect(await store.results.wantsReview()).toEqual([{ folder: '/photos/odd', wantsReview: expect.any(Number) }]);
    await store.close();
  });

  it('answers null for an unknown photo', async () => {
    const { store } = await library();
    expect(await store.results.photo('0192f3a0-1234-7000-8000-0123456789ab')).toBeNull();
    expect(await store.results.photo('no id')).toBeNull();
    await store.close();
  });
});
