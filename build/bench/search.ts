/**
 * A search by text over a large library: a million verdicts on 100,000 photos, each with real evidence (of 64 photos,
 * shared). How soon the first page is there, for a text that was never searched for, and what the main thread feels.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Core } from '../../main/app/core.ts';
import type { ResultFilter } from '../../main/contract/result-filter.ts';
import { preprocessVersion } from '../../main/images/preprocess-version.ts';
import type { Judging } from '../../main/judging/judging.ts';
import { type Finder, openFinder } from '../../main/review/finder.ts';
import type { NewEvidence, Store } from '../../main/store/types.ts';
import { type Bench, median } from './bench.ts';
import { makePhotos } from './photos.ts';
import { fillStore, type StoreData } from './store-data.ts';
import { withCore, withJudging } from './vouch.ts';

const size = { photos: 100_000, statements: 10 };
const distinct = 64;
const texts = ['a dog', 'an animal on grass', 'a person with a bottle', 'no cat', 'a red car or a bus'] as const;

const evidenceOf = async ({ engine, inputSize }: Judging): Promise<readonly NewEvidence[]> => {
  const started = await engine();
  const source = await makePhotos(distinct, 500, 375);
  const encoded = await Promise.all(source.paths.map((path) => started.encode(path)));
  source.remove();
  return encoded.map((photo) => {
    if (!photo.ok || !photo.evidence) throw new Error('a photo to measure with could not be judged');
    return { inputSize, preprocessVersion, blob: photo.evidence };
  });
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

type Times = Readonly<Record<'search' | 'firstPage' | 'nextPage' | 'counts' | 'narrowed', number>>;

/** Just what a window asks when a text is typed, then when one scrolls, and then when a filter is added. */
const searchOnce = async (store: Store, finder: Finder, text: string, folderId: string): Promise<Times> => {
  const fits = { text, likely: true };
  const page = (filter: ResultFilter, cursor: string | null) =>
    store.results.page({ filter, sort: { by: 'fit', direction: 'descending' }, cursor, limit: 100 });
  let next: string | null = null;
  const search = await timed(() => finder.find(text, { fresh: true }));
  const first = await timed(async () => {
    next = (await page({ fits }, null)).next;
  });
  const nextPage = await timed(() => page({ fits }, next));
  const counts = await timed(() => store.results.counts({ fits }));
  const narrowed = await timed(() => page({ fits, labels: ['yes'], folderId }, null));
  return { search, firstPage: search + first, nextPage, counts, narrowed };
};

export const measureSearch = async (
  core: Core,
  store: Store,
  judging: Judging,
  { folders }: Pick<StoreData, 'folders'>,
) => {
  let told = 0;
  const finder = openFinder(
    store,
    async () => judging,
    core.home.root,
    () => {
      told += 1;
    },
  );
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const times: Times[] = [];
  for (const text of texts) times.push(await searchOnce(store, finder, text, folders[3]!));
  delay.disable();
  const controller = new AbortController();
  const given = finder.find('a table', { signal: controller.signal }).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 100));
  controller.abort();
  const cancelled = await timed(() => given);
  const msOf = (key: keyof Times) => Math.round(median(times.map((one) => one[key])));
  return {
    ms: {
      search: msOf('search'),
      firstPage: msOf('firstPage'),
      firstPageSlowest: Math.round(Math.max(...times.map(({ firstPage }) => firstPage))),
      nextPage: msOf('nextPage'),
      counts: msOf('counts'),
      narrowed: msOf('narrowed'),
      cancelled: Math.round(cancelled),
      mainLoopP99: Math.round(delay.percentile(99) / 1e5) / 10,
      mainLoopMax: Math.round(delay.max / 1e5) / 10,
    },
    progressEvents: told,
    each: times,
  };
};

export const search: Bench = (say) =>
  withCore((core) =>
    withJudging(core, async (judging) => {
      const store = await core.openStore('write');
      try {
        const seen = { packSha256: judging.pack.sha256, evidence: await evidenceOf(judging) };
        const data = await fillStore(store, { ...size, seen });
        say(`${data.verdicts} verdicts stored`);
        return { ...(await measureSearch(core, store, judging, data)), verdicts: data.verdicts };
      } finally {
        await store.close();
      }
    }),
  );
