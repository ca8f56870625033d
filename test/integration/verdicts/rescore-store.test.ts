import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Precision } from '../../../main/contract/labels.ts';
import { policyVersion } from '../../../main/policy/policy.ts';
import type { JudgedBy, StatementRecord, Store } from '../../../main/store/types.ts';
import { openRescorer, type Rescorer } from '../../../main/verdicts/rescore.ts';
import type { RescoredRows, RescoreQuery } from '../../../main/verdicts/rescore-protocol.ts';
import { directionOf, fixtureFeatures } from '../../fixtures/adapters.ts';
import { identityOf, info, judged, judging, newHome, open } from '../store/open.ts';
import { handlesOf, hold } from './hold.ts';

const workerUrl = new URL('../../../main/judging/worker/rescore-worker.ts', import.meta.url);

let packDir: string;
let rescorer: Rescorer;
beforeAll(async () => {
  packDir = mkdtempSync(join(tmpdir(), 'vouch-pack-'));
  const manifest = {
    id: 'tiny',
    version: '1',
    licence: 'MIT',
    adapter: 'fixture-separable',
    languages: ['en'],
    labels: ['yes', 'no', 'maybe'],
    inputs: [{ size: 32, maxBatch: 4 }],
    precisions: ['fp32', 'int8'],
    sha256: {},
  };
  writeFileSync(join(packDir, 'vouch.json'), JSON.stringify(manifest));
  const opened = await openRescorer(workerUrl, {
    packDir,
    home: packDir,
    graphCache: null,
    colloquial: { builtin: join(packDir, 'none.yaml'), user: null },
    normalise: true,
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  rescorer = opened.value;
});
afterAll(async () => {
  await rescorer.close();
  rmSync(packDir, { recursive: true });
});

let home: string;
let store: Store;

const evidenceOf = (sign: number, i: number): Uint8Array => {
  const row = directionOf('a dog').map((value, j) => value * 4 * sign + ((i * 7 + j) % fixtureFeatures) * 0.001);
  return Uint8Array.from([1, ...new Uint8Array(row.buffer)]);
};

const ofTiny = (precision: Precision = 'fp32'): JudgedBy =>
  judging({
    packId: 'tiny',
    packSha256: rescorer.pack.sha256,
    adapterVersion: rescorer.pack.adapterVersion,
    precision,
    policy: { version: policyVersion, revision: 0 },
  });

/** Evidence of photos that show a dog (even) or none (odd), the last of them flat; no verdicts yet. */
const fill = async (photos: number, precisionOf: (i: number) => Precision = () => 'fp32'): Promise<void> => {
  for (const precision of ['fp32', 'int8'] as const) {
    const files = Array.from({ length: photos }, (_, i) => i)
      .filter((i) => precisionOf(i) === precision)
      .map((i) => {
        const flat = i === photos - 1;
        const prescreen = { sharpness: 300, deviation: flat ? 2 : 40, blurred: false, flat, small: false, ms: 1 };
        return judged(`/photos/${i}.jpg`, `photo ${i}`, [], {
          identity: identityOf(`photo ${i}`),
          info: info({ prescreen, damaged: i === 0 }),
          evidence: flat ? null : { inputSize: 32, preprocessVersion: 1, blob: evidenceOf(i % 2 === 0 ? 1 : -1, i) },
        });
      });
    await store.photos.recordJudged(ofTiny(precision), files);
  }
};

const prepareQuery = async (statements: readonly StatementRecord[]): Promise<RescoreQuery> => {
  const prepared = await hold(rescorer, statements);
  return {
    home,
    wanted: {
      evidence: { packSha256: rescorer.pack.sha256, precision: null, inputSize: 32, preprocessVersion: 1 },
      verdicts: {
        packId: 'tiny',
        packSha256: rescorer.pack.sha256,
        adapterVersion: rescorer.pack.adapterVersion,
        statements: prepared.map((result) => {
          if (!result.ok) throw new Error('unexpected');
          return { statement: result.value.key, hypothesisHash: result.value.hypothesisHash };
        }),
      },
      recheck: { kind: 'none' },
      photos: null,
    },
    statements: handlesOf(prepared),
    otherwise: { precision: 'fp32', device: 'cpu' },
  };
};
const statementsOf = async (...texts: readonly string[]) =>
  (await store.statements.upsertSet({ name: 'pets', statements: texts.map((text) => ({ text })) }, 'tiny')).statements;
const append = ({ precision, device, verdicts }: RescoredRows) =>
  store.verdicts.append({ ...ofTiny(precision), device }, verdicts);

describe('re-scoring cached evidence', () => {
  it('counts, stores one current verdict per pair, and finds nothing to do the second time', async () => {
    home = newHome();
    store = await open(home);
    await fill(301, (i) => (i % 3 === 0 ? 'int8' : 'fp32'));
    const statements = await statementsOf('a dog', 'no such thing; perhaps a cat');
    const query = await prepareQuery(statements);
    const seen: number[] = [];
    const running = rescorer.rescore(query, { store: append, onProgress: ({ photos }) => seen.push(photos) });

    const counted = await running.counted;
    expect(counted).toMatchObject({ photos: 301, cancelled: false });
    expect(counted.counts[0]).toEqual({
      statement: statements[0]?.key,
      labels: { yes: 150, no: 150, maybe: 1 },
      // The flat one, and the damaged one.
      wantsReview: 2,
    });
    await running.stored;
    expect(seen.at(-1)).toBe(301);
    expect(await store.verdicts.countByLabel([statements[0]!.key])).toEqual({ yes: 150, no: 150, maybe: 1 });
    expect((await store.upkeep.check()).problems).toEqual([]);
    const { items, total } = await store.verdicts.list({ statement: 'a dog' }, { limit: 500 });
    expect(total).toBe(301);
    // The 101st is flat: it has no evidence, and so no precision of its own.
    expect(items.filter(({ precision }) => precision === 'int8')).toHaveLength(100);
    expect(items.find(({ path }) => path === '/photos/300.jpg')).toMatchObject({
      p: null,
      label: 'maybe',
      reason: { code: 'flat', params: { standardDeviation: 2 } },
    });

    const again = await rescorer.rescore(query, { store: append }).stored;
    expect(again).toMatchObject({ photos: 0, cancelled: false });
  });

  it('gives the same verdicts as judging the photo alone', async () => {
    home = newHome();
    store = await open(home);
    await fill(40);
    const [statement] = await statementsOf('a dog');
    const query = await prepareQuery([statement!]);
    await rescorer.rescore(query, { store: append }).stored;
    const { items } = await store.verdicts.list({ statement: 'a dog' }, { limit: 100 });
    const marks = { damaged: false, degraded: false, flagged: false, blurred: false, small: false };
    for (let i = 1; i < 39; i += 1) {
      const seen = { kind: 'evidence', evidence: evidenceOf(i % 2 === 0 ? 1 : -1, i) } as const;
      const [[row] = []] = await rescorer.judge([{ seen, marks }], query.statements);
      const stored = items.find(({ path }) => path === `/photos/${i}.jpg`);
      const { label, lean, confidence, grade, reason, wantsReview } = row!;
      expect(stored).toMatchObject({ label, lean, confidence, grade, reason, wantsReview });
    }
  });

  it('only judges the photos asked for', async () => {
    home = newHome();
    store = await open(home);
    await fill(10);
    const query = await prepareQuery(await statementsOf('a dog'));
    const photos = Uint32Array.from([2, 3]);
    const done = await rescorer.rescore({ ...query, wanted: { ...query.wanted, photos } }, { store: append }).stored;
    expect(done.photos).toBe(2);
  });

  it('stops when told to, keeping what is stored, and goes on the next time', async () => {
    home = newHome();
    store = await open(home);
    await fill(2500);
    const texts = Array.from({ length: 20 }, (_, i) => `thing number ${i}`);
    const query = await prepareQuery(await statementsOf(...texts));
    const stop = new AbortController();
    const first = rescorer.rescore(query, { store: append, signal: stop.signal, onProgress: () => stop.abort() });
    const outcome = await first.stored;
    expect(outcome.cancelled).toBe(true);
    expect(outcome.photos).toBeLessThan(2500);
    expect((await store.upkeep.check()).problems).toEqual([]);
    const rest = await rescorer.rescore(query, { store: append }).stored;
    expect(rest.cancelled).toBe(false);
    expect((await store.verdicts.countByLabel()).maybe).toBeGreaterThan(0);
    expect((await rescorer.rescore(query, { store: append }).stored).photos).toBe(0);
  });

  it('judges a photo for someone who waits while it re-scores', async () => {
    home = newHome();
    store = await open(home);
    await fill(2500);
    const texts = Array.from({ length: 20 }, (_, i) => `thing number ${i}`);
    const query = await prepareQuery(await statementsOf(...texts));
    let over = false;
    const running = rescorer.rescore(query, { store: append });
    running.counted.finally(() => {
      over = true;
    });
    const handle = query.statements[0]!;
    const marks = { damaged: false, degraded: false, flagged: false, blurred: false, small: false };
    await rescorer.judge([{ seen: { kind: 'evidence', evidence: evidenceOf(1, 1) }, marks }], [handle]);
    expect(over).toBe(false);
    await running.stored;
  });

  it('ends with the store’s error when rows cannot be stored', async () => {
    home = newHome();
    store = await open(home);
    await fill(30);
    const query = await prepareQuery(await statementsOf('a dog'));
    const running = rescorer.rescore(query, { store: () => Promise.reject(new Error('disk full')) });
    await expect(running.stored).rejects.toThrow('disk full');
  });

  it('rejects where there is no database', async () => {
    home = newHome();
    store = await open(home);
    const query = await prepareQuery(await statementsOf('a dog'));
    const running = rescorer.rescore({ ...query, home: join(home, 'nowhere') }, { store: append });
    await expect(running.counted).rejects.toThrow();
  });
});
