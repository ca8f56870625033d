/** A million verdicts in a real store: how long a page of each query takes, first page and every later one alike. */
import type { ResultFilter, ResultSort } from '../../main/contract/result-filter.ts';
import type { QueueName, QueueOrder, QueueScope } from '../../main/contract/review.ts';
import type { Store, VerdictFilter } from '../../main/store/types.ts';
import type { Bench } from './bench.ts';
import { fillStore, type StoreData } from './store-data.ts';
import { measureExport, measureSidecars } from './store-export.ts';
import { withCore } from './vouch.ts';

const size = { photos: 100_000, statements: 10 };
const pageSize = 100;
const pagesEach = 20;
const rounds = 3;

type Page = Readonly<{ items: readonly unknown[]; next: string | null }>;
type Query = (store: Store, cursor: string | null) => Promise<Page>;

const queue =
  (name: QueueName, order: QueueOrder, scope: QueueScope = {}): Query =>
  (store, cursor) =>
    store.queues.page({ queue: name, order, scope, cursor, limit: pageSize });
const verdicts =
  (filter: VerdictFilter): Query =>
  (store, cursor) =>
    store.verdicts.list(filter, { cursor, limit: pageSize, countLimit: 10_000 });
const results =
  (filter: ResultFilter, by: ResultSort['by'], direction: ResultSort['direction']): Query =>
  (store, cursor) =>
    store.results.page({ filter, sort: { by, direction }, cursor, limit: pageSize });

const queriesOn = ({ folders, statements }: StoreData): Readonly<Record<string, Query>> => {
  const [first, second] = statements;
  return {
    reviewUncertain: queue('review', 'uncertain'),
    reviewOldest: queue('review', 'oldest'),
    reviewByFolder: queue('review', 'folder'),
    reviewOfStatement: queue('review', 'uncertain', { statementIds: [first!.id] }),
    reviewInFolder: queue('review', 'uncertain', { folderId: folders[3]! }),
    reviewOfSetInHalf: queue('review', 'uncertain', { setId: 'set 2', folderId: `${folders[0]!.slice(0, -6)}0` }),
    thresholdByFolder: queue('threshold', 'folder'),
    flaggedOldest: queue('flagged', 'oldest'),
    damagedByFolder: queue('damaged', 'folder'),
    verdictsYesNewest: verdicts({ label: 'yes', grade: 'high' }),
    verdictsOfStatementNewest: verdicts({ statement: second!.id, label: 'maybe' }),
    resultsNewest: results({}, 'judgedAt', 'descending'),
    resultsMaybeByPath: results({ labels: ['maybe'], statementIds: [first!.id] }, 'path', 'ascending'),
    resultsYesInFolder: results({ labels: ['yes'], folderId: folders[5]! }, 'confidence', 'descending'),
    resultsByName: results({ text: 'img_0123', wantsReview: true }, 'takenAt', 'ascending'),
  };
};

const p95 = (times: readonly number[]): number => {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
};

/** A decision before each run of pages, as a reviewer makes them: nothing may live on what was kept from before. */
const timePages = async (store: Store, query: Query, touch: () => Promise<unknown>): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await touch();
    let cursor: string | null = null;
    for (let page = 0; page < pagesEach; page += 1) {
      const from = performance.now();
      const { next } = await query(store, cursor);
      times.push(performance.now() - from);
      cursor = next;
      if (cursor === null) break;
    }
  }
  return times;
};

export const store: Bench = async (say) =>
  withCore(async (core) => {
    const opened = await core.openStore('write');
    try {
      const from = performance.now();
      const data = await fillStore(opened, size);
      const fillSeconds = (performance.now() - from) / 1000;
      say(`${data.verdicts} verdicts stored in ${fillSeconds.toFixed(0)} s`);
      const { items } = await opened.queues.page({
        queue: 'review',
        order: 'oldest',
        scope: {},
        cursor: null,
        limit: 500,
      });
      let next = 0;
      const touch = () =>
        opened.reviews.add([{ verdict: items[next++]!.verdictId }], {
          kind: 'confirm',
          reviewer: 'Ann',
          at: Date.now(),
        });
      const pageP95Ms: Record<string, number> = {};
      const firstMs: Record<string, number> = {};
      for (const [name, query] of Object.entries(queriesOn(data))) {
        const times = await timePages(opened, query, touch);
        pageP95Ms[name] = Math.round(p95(times) * 10) / 10;
        firstMs[name] = Math.round(Math.max(...times) * 10) / 10;
        say(`${name}: p95 ${pageP95Ms[name]} ms, slowest ${firstMs[name]} ms`);
      }
      const countsFrom = performance.now();
      await opened.queues.counts({});
      const countsMs = performance.now() - countsFrom;
      const exported = await measureExport(core);
      say(`export: ${JSON.stringify(exported)}`);
      const sidecarsPerSecond = await measureSidecars(opened);
      say(`new sidecars: ${sidecarsPerSecond}/s`);
      return {
        ...exported,
        sidecarsPerSecond,
        pageP95Ms,
        slowestMs: firstMs,
        countsMs,
        verdicts: data.verdicts,
        fillSeconds,
      };
    } finally {
      await opened.close();
    }
  });
