import { describe, expect, it } from 'vitest';
import { openEvidenceReader } from '../../../main/store/sql/read-evidence.ts';
import type { PackedVerdicts, Store, VerdictFilter } from '../../../main/store/types.ts';
import { dogs, info, judged, judging, markCounts, newHome, open, sha, verdict, want } from './open.ts';

/** 60 photos in two folders, each judged on two statements, with every label, grade and mark among them. */
const library = async (home = newHome()) => {
  const store = await open(home);
  const [dog, cat] = await dogs(store);
  for (let batch = 0; batch < 6; batch++) {
    const files = Array.from({ length: 10 }, (_, i) => {
      const n = batch * 10 + i;
      const label = (['yes', 'no', 'maybe'] as const)[n % 3]!;
      return judged(
        `/photos/${n % 2 ? 'odd' : 'even'}/${String(n).padStart(2, '0')}.jpg`,
        `photo ${n}`,
        [
          verdict(dog!, label, { confidence: n % 7 === 0 ? null : (n % 10) / 10 }),
          verdict(cat!, 'no', { grade: 'medium', wantsReview: true }),
        ],
        { info: info({ damaged: n % 5 === 0 }) },
      );
    });
    await store.photos.recordJudged(judging({ at: 1_750_000_000_000 + batch, degraded: batch === 3 }), files);
  }
  return { store, dog: dog!, cat: cat! };
};

const allPages = async (store: Store, filter: VerdictFilter, limit: number) => {
  const items = [];
  let cursor: string | null = null;
  do {
    const page = await store.verdicts.list(filter, { limit, cursor });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
};

describe('listing verdicts', () => {
  it('gives every pair once, page by page, under every filter, the newest first', async () => {
    const { store } = await library();
    const filters: readonly VerdictFilter[] = [
      {},
      { label: 'yes' },
      { grade: 'medium' },
      { statement: 'a dog' },
      { set: 'pets', label: 'no' },
      { wantsReview: true },
      { damaged: true },
      { degraded: true, statement: 'a cat' },
      { under: '/photos/odd' },
      { path: '/photos/*/1*.jpg' },
      { path: '**/*.jpg', under: '/photos/even', label: 'maybe' },
      { flagged: false },
    ];
    const everything = await allPages(store, {}, 1000);
    expect(everything).toHaveLength(120);
    for (const filter of filters) {
      const kept = everything.filter(
        (item) =>
          (!filter.label || item.effectiveLabel === filter.label) &&
          (!filter.grade || item.grade === filter.grade) &&
          (!filter.statement || item.statement === filter.statement) &&
          (filter.wantsReview === undefined || item.wantsReview === filter.wantsReview) &&
          (filter.damaged === undefined || item.damaged === filter.damaged) &&
          (filter.degraded === undefined || item.degraded === filter.degraded) &&
          (!filter.under || item.path.startsWith(filter.under)) &&
          (filter.path !== '/photos/*/1*.jpg' || /\/1[^/]*$/.test(item.path)),
      );
      expect(kept.length).toBeGreaterThan(0);
      const items = await allPages(store, filter, 7);
      expect(items.map(({ id }) => id).sort()).toEqual(kept.map(({ id }) => id).sort());
      const times = items.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect((await store.verdicts.list(filter, { limit: 1 })).total).toBe(kept.length);
    }
  });

  it('counts no further than asked where it has to count one by one', async () => {
    const { store } = await library();
    const listed = async (filter: VerdictFilter, countLimit: number) => {
      const { total, atLeast } = await store.verdicts.list(filter, { limit: 1, countLimit });
      return [total, atLeast];
    };
    expect(await listed({ under: '/photos/odd' }, 10)).toEqual([10, true]);
    expect(await listed({ under: '/photos/odd' }, 60)).toEqual([60, undefined]);
    expect(await listed({}, 10)).toEqual([120, undefined]);
    expect(await listed({ under: '/photos' }, 10)).toEqual([120, undefined]);
  });

  it('goes on where it was when verdicts arrive in between', async () => {
    const { store, dog } = await library();
    const all = await allPages(store, {}, 1000);
    const first = await store.verdicts.list({}, { limit: 10 });
    await store.photos.recordJudged(judging(), [judged('/photos/a.jpg', 'new', [verdict(dog, 'yes')])]);
    const second = await store.verdicts.list({}, { limit: 10, cursor: first.next });
    expect([...first.items, ...second.items]).toEqual(all.slice(0, 20));
  });

  it('shows a photo of several paths once, and none that is gone', async () => {
    const { store, dog } = await library();
    await store.photos.attach([{ path: '/copy/00.jpg', identity: judged('', 'photo 0', []).identity }], want([dog]));
    expect(await allPages(store, { statement: 'a dog' }, 7)).toHaveLength(60);
    await store.photos.markGone(['/copy/00.jpg', '/photos/even/00.jpg']);
    expect(await allPages(store, { statement: 'a dog' }, 7)).toHaveLength(59);
    expect((await store.verdicts.list({ under: '/copy' }, { limit: 1 })).total).toBe(0);
  });

  it('gives a verdict with all that is known of it', async () => {
    const { store } = await library();
    const { items } = await store.verdicts.list({ path: '**/03.jpg', statement: 'a dog' }, { limit: 1 });
    expect(items).toEqual([
      {
        id: expect.any(String),
        photo: expect.any(String),
        path: '/photos/odd/03.jpg',
        statement: 'a dog',
        statementId: expect.any(String),
        set: 'pets',
        label: 'yes',
        effectiveLabel: 'yes',
        lean: 'yes',
        p: { yes: 0.95, no: 0.02, maybe: 0.03 },
        confidence: 0.3,
        grade: 'high',
        reason: { code: 'model_score', params: {} },
        damaged: false,
        degraded: false,
        flagged: false,
        wantsReview: false,
        reviewed: false,
        model: 'concept-en',
        precision: 'fp32',
        device: 'cpu',
        at: 1_750_000_000_000,
      },
    ]);
  });

  it('counts by label, statement, queue and folder', async () => {
    const { store, dog, cat } = await library();
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 20, no: 80, maybe: 20 });
    expect(await store.verdicts.countByLabel([dog.key])).toEqual({ yes: 20, no: 20, maybe: 20 });
    expect(await store.verdicts.countUnder(['/photos/odd'], [cat.key])).toEqual({ yes: 0, no: 30, maybe: 0 });
    expect(await store.verdicts.countUnder(['/photos', '/photos/odd'], [cat.key])).toEqual({
      yes: 0,
      no: 60,
      maybe: 0,
    });
    expect(await store.verdicts.countByStatement()).toMatchObject([
      { text: 'a dog', labels: { yes: 20, no: 20, maybe: 20 }, wantsReview: 20 },
      { text: 'a cat', labels: { yes: 0, no: 60, maybe: 0 }, wantsReview: 60 },
    ]);
    expect(await markCounts(store)).toMatchObject({ damaged: 24, degraded: 20, wantsReview: 80 });
  });
});

describe('statements', () => {
  it('are kept when the same, and archived and made anew when edited', async () => {
    const { store, dog, cat } = await library();
    const set = await store.statements.upsertSet(
      { name: 'pets', statements: [{ text: 'a cat' }, { text: 'a dog', yes: 0.9 }] },
      'concept-en',
    );
    expect(set.statements.map(({ text, key }) => [text, key === cat.key || key === dog.key])).toEqual([
      ['a cat', true],
      ['a dog', false],
    ]);
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 0, no: 60, maybe: 0 });
    expect((await store.upkeep.check()).problems).toEqual([]);
    const [back] = await store.statements.addTo('pets', [{ text: 'a dog' }], 'concept-en');
    expect(back?.key).toBe(dog.key);
    expect(await store.verdicts.countByLabel([dog.key])).toEqual({ yes: 20, no: 20, maybe: 20 });
    expect((await store.statements.list({ archived: true }))[0]?.statements).toHaveLength(3);
    expect((await store.upkeep.check()).problems).toEqual([]);
  });

  it('show the verdicts of the pack that their set uses', async () => {
    const { store } = await library();
    await store.statements.setPack('pets', 'other');
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 0, no: 0, maybe: 0 });
    expect((await store.upkeep.check()).problems).toEqual([]);
    await store.statements.setPack('pets', 'concept-en');
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 20, no: 80, maybe: 20 });
    await expect(store.statements.setPack('none', 'x')).rejects.toMatchObject({ error: { code: 'not_found' } });
  });
});

describe('judging again from stored evidence', () => {
  it('reads what lacks a verdict, stores columns, and then finds nothing left', async () => {
    const home = newHome();
    const { store } = await library(home);
    const [fox] = await store.statements.addTo('pets', [{ text: 'a fox' }], 'concept-en');
    const wanted = { ...want([fox!]), evidence: want([]).evidence!, photos: null };
    const reader = openEvidenceReader(home);
    const pages = [...reader.pages(wanted, 25)];
    expect(pages.map((page) => page.length)).toEqual([25, 25, 10]);
    const rows = pages.flat();
    expect(rows[7]?.blob).toEqual(Buffer.from('photo 7'));
    expect(rows.filter(({ damaged }) => damaged)).toHaveLength(12);
    const column = (value: number) => new Float64Array(rows.length).fill(value);
    const packed: PackedVerdicts = {
      statement: fox!.key,
      hypothesisHash: sha('a fox'),
      photos: Uint32Array.from(rows, ({ photo }) => photo),
      pYes: column(0.1),
      pNo: column(0.9),
      pMaybe: column(0),
      lean: new Uint8Array(rows.length).fill(1),
      label: new Uint8Array(rows.length).fill(1),
      grade: new Uint8Array(rows.length).fill(1),
      confidence: column(0.9),
      wantsReview: new Uint8Array(rows.length).fill(1),
      near: new Uint8Array(rows.length),
      reasonCode: rows.map(() => 'model_score'),
      reasonParams: rows.map(() => '{}'),
      caps: rows.map(() => null),
    };
    expect(await store.verdicts.append(judging(), [packed])).toBe(60);
    expect(await store.verdicts.countByLabel([fox!.key])).toEqual({ yes: 0, no: 60, maybe: 0 });
    expect([...reader.pages(wanted, 25)].flat()).toEqual([]);
    expect([
      ...reader.pages({ ...wanted, photos: Uint32Array.of(rows[3]!.photo), recheck: { kind: 'all' } }, 25),
    ]).toHaveLength(1);
    const { policy, packSha256 } = judging();
    expect(await store.verdicts.countDecidedOtherwise(packSha256, policy)).toBe(0);
    const { total } = await store.verdicts.list({}, { limit: 1 });
    for (const other of [{ version: policy.version + 1 }, { revision: policy.revision + 1 }]) {
      expect(await store.verdicts.countDecidedOtherwise(packSha256, { ...policy, ...other })).toBe(total);
    }
    reader.close();
    expect((await store.upkeep.check()).problems).toEqual([]);
  });

  it('takes evidence of any precision where asked, the best first', async () => {
    const home = newHome();
    const store = await open(home);
    const [dog] = await dogs(store);
    const file = (precision: string) =>
      judged('/p/a.jpg', 'one', [], {
        evidence: { inputSize: 224, preprocessVersion: 1, blob: Buffer.from(precision) },
      });
    for (const precision of ['int8', 'fp16'] as const) {
      await store.photos.recordJudged(judging({ precision }), [file(precision)]);
    }
    const reader = openEvidenceReader(home);
    const blobs = (precision: 'fp32' | 'int8' | null) =>
      [...reader.pages({ ...want([dog!]), evidence: { ...want([]).evidence!, precision }, photos: null }, 9)]
        .flat()
        .map(({ blob }) => blob && Buffer.from(blob).toString());
    expect(blobs(null)).toEqual(['fp16']);
    expect(blobs('int8')).toEqual(['int8']);
    expect(blobs('fp32')).toEqual([]);
    reader.close();
  });
});
