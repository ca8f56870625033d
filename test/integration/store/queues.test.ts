import { describe, expect, it } from 'vitest';
import { type QueueName, type QueueOrder, type QueueScope, queueNames } from '../../../main/contract/review.ts';
import type { QueueRequest, Store } from '../../../main/store/types.ts';
import { dogs, info, judged, judging, listByPath, open, verdict } from './open.ts';

const photos = 90;
const labels = ['yes', 'no', 'maybe'] as const;
/** The n-th photo lies in a folder by its remainder, so that path order is not the order of judging. */
const pathOf = (i: number): string => `/p/${i % 3}/${String(photos - i).padStart(3, '0')}.jpg`;

/** Photos with two verdicts each, of every label, grade and mark. */
const filled = async (): Promise<Store> => {
  const store = await open();
  const [dog, cat] = await dogs(store);
  for (let i = 0; i < photos; i += 1) {
    const near = i % 5 === 0;
    const files = [
      judged(
        pathOf(i),
        `photo ${i}`,
        [
          verdict(dog!, labels[i % 3]!, { confidence: ((i * 37) % photos) / photos, near }),
          verdict(cat!, 'no', { grade: i % 2 === 0 ? 'medium' : 'high', wantsReview: i % 2 === 0, confidence: 0.8 }),
        ],
        { info: info({ damaged: i % 9 === 0 }) },
      ),
    ];
    await store.photos.recordJudged(judging({ degraded: i % 10 === 0, at: 1_750_000_000_000 + i }), files);
  }
  const items = await listByPath(store);
  await store.flags.set([{ photo: items[5]!.photo, statementId: null }], 'odd light', 'Ann', 1);
  await store.flags.set([{ photo: items[20]!.photo, statementId: cat!.id }], 'a lynx', 'Ben', 2);
  await store.reviews.add([{ verdict: items[40]!.id }], { kind: 'skip', reviewer: 'Ann', at: 3 });
  await store.reviews.add([{ verdict: items[44]!.id }], { kind: 'confirm', reviewer: 'Ann', at: 4 });
  await store.queues.draw(25, 5);
  return store;
};

const everyPage = async (store: Store, request: Omit<QueueRequest, 'cursor' | 'limit'>, limit: number) => {
  const items = [];
  let cursor: string | null = null;
  do {
    const page = await store.queues.page({ ...request, cursor, limit });
    items.push(...page.items);
    cursor = page.next;
    expect(page.total).toBeGreaterThanOrEqual(items.length);
  } while (cursor !== null);
  return items;
};

describe('queues', () => {
  it('hold each pair once, page by page, as many as they count', async () => {
    const store = await filled();
    const { queues } = await store.queues.counts({});
    expect(queues.map(({ name }) => name)).toEqual(queueNames);
    const orders: readonly QueueOrder[] = ['uncertain', 'oldest', 'folder'];
    for (const { name, count, atLeast } of queues) {
      expect(atLeast).toBe(false);
      if (name !== 'disagreements') expect(count, name).toBeGreaterThan(0);
      const inOrders = await Promise.all(orders.map((order) => everyPage(store, { queue: name, scope: {}, order }, 7)));
      for (const items of inOrders) {
        const ids = items.map(({ verdictId, statementId }) => `${verdictId} ${statementId}`);
        expect(new Set(ids).size, name).toBe(count);
        expect(ids, name).toHaveLength(count);
      }
      if (name === 'audit') continue;
      const [uncertain, oldest, folder] = inOrders;
      const rising = (values: readonly (number | string)[]) =>
        expect(values, name).toEqual(values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      rising(uncertain!.map(({ confidence }) => confidence ?? -1));
      rising(oldest!.map(({ at }) => at));
      rising(folder!.map(({ path }) => path));
    }
  });

  it('narrow to a set, statements or a folder, and count what they then hold', async () => {
    const store = await filled();
    const [pets] = await store.statements.list();
    const dog = pets!.statements[0]!.id;
    for (const name of queueNames) {
      const request = { queue: name, order: 'uncertain' } as const;
      const all = await everyPage(store, { ...request, scope: {} }, 50);
      const scopes = [
        [{ statementIds: [dog] }, all.filter(({ statementId }) => statementId === dog)],
        [{ folderId: '/p/1' }, all.filter(({ path }) => path.startsWith('/p/1/'))],
        [{ setId: 'pets', folderId: '/p/2' }, all.filter(({ path }) => path.startsWith('/p/2/'))],
        [{ setId: 'none' }, []],
      ] satisfies [QueueScope, unknown][];
      for (const [scope, expected] of scopes) {
        const found = await everyPage(store, { ...request, scope }, 7);
        expect(found, name).toEqual(expected);
        const counted = (await store.queues.counts(scope)).queues.find((queue) => queue.name === name);
        expect(counted?.count, name).toBe(expected.length);
      }
    }
  });

  it('say why an item was flagged and by whom, and lose it once decided', async () => {
    const store = await filled();
    const flagged = () => everyPage(store, { queue: 'flagged', scope: {}, order: 'folder' }, 50);
    const items = await flagged();
    expect(items.map(({ flags }) => flags)).toEqual([
      [{ reason: 'odd light', by: 'Ann', at: 1, wholePhoto: true }],
      [{ reason: 'odd light', by: 'Ann', at: 1, wholePhoto: true }],
      [{ reason: 'a lynx', by: 'Ben', at: 2, wholePhoto: false }],
    ]);
    await store.reviews.add([{ verdict: items[2]!.verdictId }], { kind: 'confirm', reviewer: 'Ann', at: 9 });
    // The verdict's id names its photo's pair on the same statement only.
    expect((await flagged()).map(({ verdictId }) => verdictId)).toEqual(
      items.slice(0, 2).map(({ verdictId }) => verdictId),
    );
  });

  it('refuse a cursor of another kind', async () => {
    const store = await filled();
    await expect(
      store.queues.page({ queue: 'review', scope: {}, order: 'oldest', cursor: 'x', limit: 5 }),
    ).rejects.toMatchObject({ error: { code: 'not_found' } });
  });
});

describe('the audit', () => {
  const count = async (store: Store, name: QueueName) =>
    (await store.queues.counts({})).queues.find((queue) => queue.name === name)!.count;

  it('draws each pair once, with the chance that it had, reviewed pairs too', async () => {
    const store = await filled();
    // The skipped pair may be among those drawn: it waits for no one.
    expect([24, 25]).toContain(await count(store, 'audit'));
    expect(await store.queues.draw(1000, 6)).toEqual({ drawn: 2 * photos - 25, waiting: 2 * photos - 1 });
    expect(await store.queues.draw(10, 7)).toEqual({ drawn: 0, waiting: 2 * photos - 1 });
  });

  it('counts a blind review only, notes its chance, and takes it back with an undo', async () => {
    const store = await filled();
    const [first, second] = await everyPage(store, { queue: 'audit', scope: {}, order: 'uncertain' }, 50);
    const waiting = await count(store, 'audit');
    const decide = (verdict: string, blind: boolean) =>
      store.reviews.add([{ verdict }], { kind: 'override', label: 'no', reviewer: 'Ann', blind, at: 8 });
    const [seen] = await decide(first!.verdictId, false);
    expect(seen).toMatchObject({ drawnWith: null });
    expect(await count(store, 'audit')).toBe(waiting);
    const [blind] = await decide(second!.verdictId, true);
    expect(blind).toMatchObject({ drawnWith: 25 / (2 * photos) });
    expect(await count(store, 'audit')).toBe(waiting - 1);
    await store.reviews.undo({ reviewer: 'Ann', at: 9 });
    expect(await count(store, 'audit')).toBe(waiting);
  });
});

describe('packs that contradict each other', () => {
  it('meet in the disagreements, whichever judged last, until a person decides', async () => {
    const store = await open();
    const [dog] = await dogs(store);
    const judge = (packId: string, given: readonly (typeof labels)[number][]) =>
      store.photos.recordJudged(
        judging({ packId }),
        given.map((label, i) => judged(`/p/${i}.jpg`, `photo ${i}`, [verdict(dog!, label)])),
      );
    await judge('other', ['yes', 'no', 'maybe', 'no']);
    await judge('concept-en', ['no', 'no', 'yes', 'yes']);
    const paths = async () =>
      (await everyPage(store, { queue: 'disagreements', scope: {}, order: 'folder' }, 10)).map(({ path }) => path);
    expect(await paths()).toEqual(['/p/0.jpg', '/p/3.jpg']);
    await judge('other', ['yes', 'no', 'maybe', 'yes']);
    expect(await paths()).toEqual(['/p/0.jpg']);
    const { items } = await store.queues.page({
      queue: 'disagreements',
      scope: {},
      order: 'folder',
      cursor: null,
      limit: 5,
    });
    await store.reviews.add([{ verdict: items[0]!.verdictId }], { kind: 'confirm', reviewer: 'Ann', at: 1 });
    expect(await paths()).toEqual([]);
  });
});

describe('the chance of an audited pair', () => {
  it('is that of all draws together, and of the later ones only for a photo that came later', async () => {
    const store = await open();
    const [dog] = await dogs(store);
    const at = Date.now() + 1000;
    const add = (from: number, to: number, when: number) => {
      const files = Array.from({ length: to - from }, (_, i) =>
        judged(`/p/${from + i}.jpg`, `photo ${from + i}`, [verdict(dog!, 'yes')]),
      );
      return store.photos.recordJudged(judging({ at: when }), files);
    };
    const review = async () => {
      const { items } = await store.queues.page({
        queue: 'audit',
        scope: {},
        order: 'oldest',
        cursor: null,
        limit: 500,
      });
      const by = { kind: 'override', label: 'yes', reviewer: 'Ann', blind: true, at } as const;
      await store.reviews.add(
        items.map(({ verdictId }) => ({ verdict: verdictId })),
        by,
      );
    };
    await add(0, 40, at);
    await store.queues.draw(10, at + 1);
    await review();
    await store.queues.draw(15, at + 2);
    await review();
    const early = (await store.quality.audited(judging().packSha256)).map(({ drawnWith }) => drawnWith);
    expect(early).toHaveLength(25);
    for (const chance of early) expect(chance).toBeCloseTo(25 / 40);
    await add(40, 60, at + 3);
    await store.queues.draw(35, at + 4);
    const unreviewed = (await store.quality.audited(judging().packSha256)).map(({ drawnWith }) => drawnWith);
    for (const chance of unreviewed) expect(chance).toBeCloseTo(25 / 40);
    await review();
    const all = await store.quality.audited(judging().packSha256);
    expect(all).toHaveLength(60);
    for (const { drawnWith } of all) expect(drawnWith).toBeCloseTo(1);
  });
});
