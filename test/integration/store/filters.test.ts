/** Filters of the results screen in any combination, against a plain look at every photo and pair. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Grade, grades, type Label, labels } from '../../../main/contract/labels.ts';
import type { ResultFilter, ResultSort } from '../../../main/contract/result-filter.ts';
import type { StatementRecord, Store } from '../../../main/store/types.ts';
import { info, judged, judging, open, sha, verdict } from './open.ts';

const photos = 60;
const folders = ['/photos', '/photos/Zürich', '/photos/b', '/photos/b/deep'] as const;
const cameras = ['Canon 5D', 'Pixel 8', null] as const;

type Pair = Readonly<{ statement: StatementRecord; label: Label; grade: Grade; wants: boolean }>;
type Photo = Readonly<{
  path: string;
  damaged: boolean;
  takenAt: string | null;
  camera: string | null;
  hasGps: boolean;
  width: number;
  group: number;
  /** How well it fits the text, as a search would have it; null where it was not found. */
  fit: number | null;
  pairs: readonly Pair[];
}>;

const photoAt = (i: number, statements: readonly StatementRecord[]): Photo => ({
  path: `${folders[i % 4]!}/IMG_${String(i).padStart(3, '0')}${i % 6 === 0 ? '_edit' : ''}.jpg`,
  damaged: i % 5 === 0,
  takenAt: i % 7 === 0 ? null : `2024-0${1 + (i % 6)}-1${i % 10}T09:00:00`,
  camera: cameras[i % 3]!,
  hasGps: i % 4 === 1,
  width: 500 + (i % 8) * 500,
  group: i % 11,
  fit: i % 3 === 0 ? null : 0.2 + ((i * 37) % 80) / 100,
  pairs: statements.map((statement, s) => ({
    statement,
    label: labels[(i + s) % 3]!,
    grade: grades[(i * 3 + s) % 3]!,
    wants: (i + 2 * s) % 4 === 0,
  })),
});

/** Every third of the first thirty pairs on the first statement was decided by a person: NO. */
const isDecided = (i: number, s: number): boolean => s === 0 && i < 30 && i % 3 === 0;

const text = 'a dog';
const likely = 0.5;
const library = async (): Promise<Readonly<{ store: Store; all: readonly Photo[] }>> => {
  const store = await open();
  const setOf = async (name: string, ...texts: readonly string[]) =>
    (await store.statements.upsertSet({ name, statements: texts.map((one) => ({ text: one })) }, 'concept-en'))
      .statements;
  const statements = [...(await setOf('pets', 'a dog', 'a cat')), ...(await setOf('places', 'a beach'))];
  const all = Array.from({ length: photos }, (_, i) => photoAt(i, statements));
  const keys: number[] = [];
  for (let from = 0; from < photos; from += 20) {
    const files = all.slice(from, from + 20).map(({ path, damaged, takenAt, camera, hasGps, width, group, pairs }) =>
      judged(
        path,
        path,
        pairs.map(({ statement, label, grade, wants }) =>
          verdict(statement, label, { grade, wantsReview: wants, confidence: null }),
        ),
        { info: info({ damaged, takenAt, camera, hasGps, width, perceptualHash: sha(`group ${group}`) }) },
      ),
    );
    const recorded = await store.photos.recordJudged(judging({ at: 1_750_000_000_000 + from }), files);
    keys.push(...recorded.map(({ key }) => key));
  }
  for (const folder of folders) await store.folders.upsert(folder, {});
  const shown = await store.results.page({ filter: {}, sort: byPath, cursor: null, limit: 500 });
  const decided = all.flatMap((photo, i) => {
    const item = shown.items.find(({ path }) => path === photo.path)!;
    const first = item.chips.find(({ statementId }) => statementId === statements[0]!.id)!;
    return isDecided(i, 0) ? [{ verdict: first.verdictId }] : [];
  });
  await store.reviews.add(decided, { kind: 'override', label: 'no', reviewer: 'me', at: 1 });
  const found = all.flatMap(({ fit }, i) => (fit === null ? [] : [{ key: keys[i]!, fit }]));
  await store.results.rank({
    text,
    photos: Uint32Array.from(found, ({ key }) => key),
    scores: Float64Array.from(found, ({ fit }) => fit),
    likely,
  });
  return {
    store,
    all: all.map((photo, i) => ({
      ...photo,
      pairs: photo.pairs.map((pair, s) => (isDecided(i, s) ? { ...pair, label: 'no' as const, wants: false } : pair)),
    })),
  };
};

const byPath: ResultSort = { by: 'path', direction: 'ascending' };

const meets = (filter: ResultFilter, photo: Photo, { statement, label, grade, wants }: Pair): boolean =>
  (filter.setId === undefined || statement.set === filter.setId) &&
  (!filter.statementIds?.length || filter.statementIds.includes(statement.id)) &&
  (!filter.labels?.length || filter.labels.includes(label)) &&
  (!filter.grades?.length || filter.grades.includes(grade)) &&
  (filter.wantsReview === undefined || wants === filter.wantsReview) &&
  (filter.damaged === undefined || photo.damaged === filter.damaged);

const photoMeets = (filter: ResultFilter, photo: Photo, group: number | null): boolean => {
  const day = photo.takenAt?.slice(0, 10) ?? null;
  return (
    (filter.folderId === undefined || photo.path.startsWith(`${filter.folderId}/`)) &&
    (filter.text === undefined || photo.path.toLowerCase().includes(filter.text.toLowerCase())) &&
    (filter.takenFrom === undefined || (day !== null && day >= filter.takenFrom)) &&
    (filter.takenTo === undefined || (day !== null && day <= filter.takenTo)) &&
    (filter.camera === undefined || photo.camera === filter.camera) &&
    (filter.hasGps === undefined || photo.hasGps === filter.hasGps) &&
    (filter.minPixels === undefined || photo.width * 480 >= filter.minPixels) &&
    (filter.fits === undefined || (photo.fit !== null && (!filter.fits.likely || photo.fit >= likely))) &&
    (group === null || photo.group === group)
  );
};

/** Up to four conditions at once: more would hardly leave a photo. */
const filterArbitrary = (statementIds: readonly string[], photoIds: readonly string[]): fc.Arbitrary<ResultFilter> => {
  const one = <K extends keyof ResultFilter>(key: K, values: readonly NonNullable<ResultFilter[K]>[]) =>
    fc.constantFrom(...values).map((value) => ({ [key]: value }));
  const few = <T>(key: keyof ResultFilter, values: readonly T[]) =>
    fc.subarray([...values]).map((value) => ({ [key]: value }));
  const condition = fc.oneof(
    one('setId', ['pets', 'places', 'nothing']),
    few('statementIds', statementIds),
    few('labels', labels),
    few('grades', grades),
    one('folderId', folders),
    one('wantsReview', [true, false]),
    one('damaged', [true, false]),
    one('text', ['img_0', 'EDIT', '_01', 'deep', '%']),
    one('takenFrom', ['2024-02-01', '2024-03-13']),
    one('takenTo', ['2024-03-13', '2024-05-31']),
    one('camera', ['Canon 5D', 'Pixel 8', 'None']),
    one('hasGps', [true, false]),
    one('minPixels', [480_000, 1_200_000]),
    one('similarTo', photoIds),
    one(
      'fits',
      [true, false].map((likely) => ({ text, likely })),
    ),
  );
  return fc.array(condition, { maxLength: 4 }).map((parts): ResultFilter => Object.assign({}, ...parts));
};

const pathsOf = async (store: Store, filter: ResultFilter, sort: ResultSort, limit: number) => {
  const paths: string[] = [];
  const fits: (number | null)[] = [];
  let cursor: string | null = null;
  let total = 0;
  do {
    const page = await store.results.page({ filter, sort, cursor, limit });
    paths.push(...page.items.map(({ path }) => path));
    fits.push(...page.items.map(({ fit }) => fit));
    total = page.total;
    cursor = page.next;
  } while (cursor !== null);
  return { paths, fits, total };
};

describe('filters of the results', () => {
  it('leave, in any combination, just the photos and counts that a look at each one does', async () => {
    const { store, all } = await library();
    const shown = (await store.results.page({ filter: {}, sort: byPath, cursor: null, limit: 500 })).items;
    const groupOf = new Map(shown.map(({ photoId, path }) => [photoId, all.find((one) => one.path === path)!.group]));
    const statementIds = all[0]!.pairs.map(({ statement }) => statement.id);
    let met = 0;
    await fc.assert(
      fc.asyncProperty(
        filterArbitrary(
          statementIds,
          shown.slice(0, 12).map(({ photoId }) => photoId),
        ),
        fc.integer({ min: 3, max: 25 }),
        async (filter, limit) => {
          const group = filter.similarTo === undefined ? null : groupOf.get(filter.similarTo)!;
          const wanted = all
            .filter((photo) => photoMeets(filter, photo, group))
            .map((photo) => ({ photo, pairs: photo.pairs.filter((pair) => meets(filter, photo, pair)) }))
            .filter(({ pairs }) => pairs.length > 0);
          const { paths, fits, total } = await pathsOf(store, filter, byPath, limit);
          expect(paths).toEqual(wanted.map(({ photo }) => photo.path).sort());
          expect(total).toBe(wanted.length);
          if (!filter.fits) expect(fits.every((fit) => fit === null)).toBe(true);
          const pairs = wanted.flatMap((one) => one.pairs);
          const counts = await store.results.counts(filter);
          const tally = <K extends string>(keys: readonly K[], keyOf: (pair: Pair) => K) =>
            Object.fromEntries(keys.map((key) => [key, pairs.filter((pair) => keyOf(pair) === key).length]));
          expect(counts).toMatchObject({
            photos: wanted.length,
            labels: tally(labels, ({ label }) => label),
            grades: tally(grades, ({ grade }) => grade),
            wantsReview: pairs.filter(({ wants }) => wants).length,
            damaged: wanted.filter(({ photo }) => photo.damaged).length,
            folders: folders.toSorted().map((folderId) => ({
              folderId,
              photos: wanted.filter(({ photo }) => photo.path.startsWith(`${folderId}/`)).length,
            })),
          });
          if (wanted.length > 0) met += 1;
        },
      ),
      { numRuns: 150 },
    );
    expect(met).toBeGreaterThan(30);
  });

  it('rank what fits a text best first, and refuse a text that was not searched for', async () => {
    const { store, all } = await library();
    const fits = { text, likely: true };
    const { paths, fits: scores } = await pathsOf(store, { fits }, { by: 'fit', direction: 'descending' }, 7);
    expect(scores.length).toBeGreaterThan(10);
    expect(scores).toEqual(scores.toSorted((a, b) => b! - a!));
    for (const [i, path] of paths.entries()) expect(all.find((one) => one.path === path)!.fit).toBe(scores[i]);
    const other = { ...fits, text: 'a cat' };
    await expect(store.results.counts({ fits: other })).rejects.toThrow('a cat');
    await store.results.rank({ text: 'a cat', photos: new Uint32Array(), scores: new Float64Array(), likely });
    expect((await store.results.counts({ fits: other })).photos).toBe(0);
    await expect(store.results.counts({ fits })).rejects.toThrow(text);
  });
});

describe('pages of results', () => {
  it('skip and repeat nothing while photos arrive between them, in any order', async () => {
    const sorts = (['path', 'takenAt', 'judgedAt', 'confidence', 'fit'] as const).flatMap((by) =>
      (['ascending', 'descending'] as const).map((direction) => ({ by, direction })),
    );
    const { store, all } = await library();
    const [first] = all[0]!.pairs;
    let arrived = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sorts),
        fc.boolean(),
        fc.integer({ min: 4, max: 17 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 6, maxLength: 6 }),
        async (sort, searched, limit, arrivals) => {
          const filter: ResultFilter = searched || sort.by === 'fit' ? { fits: { text, likely: false } } : {};
          const before = new Set((await pathsOf(store, filter, sort, 500)).paths);
          const seen: string[] = [];
          let cursor: string | null = null;
          for (let turn = 0; turn === 0 || cursor !== null; turn++) {
            const page = await store.results.page({ filter, sort, cursor, limit });
            seen.push(...page.items.map(({ path }) => path));
            cursor = page.next;
            const files = Array.from({ length: arrivals[turn] ?? 0 }, () => {
              arrived += 1;
              const path = `${folders[arrived % 4]!}/IMG_${String(arrived % 60).padStart(3, '0')}-${arrived}.jpg`;
              const takenAt = arrived % 3 ? `2024-0${1 + (arrived % 6)}-11T08:00:00` : null;
              const made = verdict(first!.statement, 'yes', { confidence: arrived % 4 ? 0.5 : null });
              return judged(path, path, [made], { info: info({ takenAt, perceptualHash: null }) });
            });
            if (files.length > 0) await store.photos.recordJudged(judging({ at: 1_760_000_000_000 + arrived }), files);
          }
          expect(new Set(seen).size).toBe(seen.length);
          const lost = [...before].filter((path) => !seen.includes(path));
          expect(lost).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
    expect(arrived).toBeGreaterThan(40);
  });
});
