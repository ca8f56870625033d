/** Exports from a real store, through the real worker. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FileFormat } from '../../../main/contract/export.ts';
import { exportFile } from '../../../main/export/export-file.ts';
import { safeOutput } from '../../../main/export/guard.ts';
import { VouchFailure } from '../../../main/failure.ts';
import { type Home, locateHome } from '../../../main/home.ts';
import type { PairScope, Store } from '../../../main/store/types.ts';
import { judged, judging, newHome, open, verdict } from '../store/open.ts';

const workerUrl = new URL('../../../main/export/worker/export-worker.ts', import.meta.url);
const samples = resolve(import.meta.dirname, '..', '..', '..', 'resources', 'samples');
const everything: PairScope = { kind: 'verdicts', filter: {} };
const photos = 300;
let home: string;
let out: string;
let store: Store;

beforeEach(async () => {
  home = newHome();
  out = mkdtempSync(join(tmpdir(), 'vouch-export-'));
  store = await open(home);
  const statements = [{ text: '=a "dog", maybe', tag: 'dog' }, { text: '一只猫' }];
  const set = await store.statements.upsertSet({ name: 'pets', statements }, 'concept-en');
  const [dog, cat] = set.statements as [(typeof set.statements)[0], (typeof set.statements)[0]];
  const files = Array.from({ length: photos }, (_, i) =>
    judged(`/p/${i % 3}/${i}.jpg`, `c${i}`, [verdict(dog, i % 2 ? 'yes' : 'no'), verdict(cat, 'maybe')]),
  );
  await store.photos.recordJudged(judging(), files);
});
afterEach(() => rmSync(out, { recursive: true, force: true }));

const refusal = (path: string, ours: Home): Promise<unknown> =>
  safeOutput(path, ours).catch((error: unknown) => (error instanceof VouchFailure ? error.error.code : error));
const run = (format: FileFormat, scope: PairScope = everything, signal = new AbortController().signal) =>
  exportFile(workerUrl, { home, format, out: join(out, `x.${format}`), scope }, { signal });
const written = (format: FileFormat): string => readFileSync(join(out, `x.${format}`), 'utf8');

test('CSV has a row for each verdict, a byte-order mark, and no formula', async () => {
  expect(await run('csv')).toBe(2 * photos);
  const text = written('csv');
  expect(text.charCodeAt(0)).toBe(0xfeff);
  const lines = text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(2 * photos + 1);
  expect(lines[1]).toContain(`"'=a ""dog"", maybe"`);
  expect(text).toContain('一只猫');
});

test('JSON Lines carry what `verdicts` lists, once each and in order', async () => {
  expect(await run('jsonl')).toBe(2 * photos);
  const rows = written('jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const listed = await store.verdicts.list({}, { limit: 10_000 });
  expect(rows.map(({ id, statement }) => `${id} ${statement}`).toSorted()).toEqual(
    listed.items.map(({ id, statement }) => `${id} ${statement}`).toSorted(),
  );
  expect(new Set(rows.map(({ photo, statement }) => `${photo} ${statement}`)).size).toBe(2 * photos);
  expect(rows[0]).toMatchObject({ path: '/p/0/0.jpg', set: 'pets', tag: 'dog', label: 'no', grade: 'high' });
});

test('COCO names images, categories and scored annotations that refer to each other', async () => {
  expect(await run('coco')).toBe(2 * photos);
  const { images, categories, annotations } = JSON.parse(written('coco'));
  expect([images.length, categories.length, annotations.length]).toEqual([photos, 2, 2 * photos]);
  const ids = new Set(images.map(({ id }: { id: number }) => id));
  expect(annotations.every(({ image_id }: { image_id: number }) => ids.has(image_id))).toBe(true);
  expect(annotations[0]).toMatchObject({ label: 'no', score: 0.95, category_id: categories[0].id });
});

test('an empty scope makes a whole document too', async () => {
  const none: PairScope = { kind: 'verdicts', filter: { statement: 'nothing like it' } };
  expect([await run('csv', none), await run('jsonl', none), await run('coco', none)]).toEqual([0, 0, 0]);
  expect(JSON.parse(written('coco'))).toMatchObject({ images: [], annotations: [] });
});

test('filters of the command line and of Results hold, and so does --reviewed', async () => {
  const count = (scope: PairScope) => run('jsonl', scope);
  expect(await count({ kind: 'verdicts', filter: { label: 'yes' } })).toBe(photos / 2);
  expect(await count({ kind: 'verdicts', filter: { path: '/p/0/*.jpg' } })).toBe((2 * photos) / 3);
  expect(await count({ kind: 'results', filter: { folderId: '/p/1', labels: ['maybe'] } })).toBe(photos / 3);
  const [first] = (await store.verdicts.list({ label: 'yes' }, { limit: 1 })).items;
  await store.reviews.add([{ verdict: first!.id }], { kind: 'override', label: 'no', reviewer: 'ann', at: 1 });
  const reviewed: PairScope = { kind: 'results', filter: {}, reviewed: true };
  expect(await count(reviewed)).toBe(1);
  expect(await store.verdicts.count(reviewed)).toBe(1);
  expect(JSON.parse(written('jsonl'))).toMatchObject({ label: 'yes', effectiveLabel: 'no', reviewed: true });
});

test('a cancelled export leaves the file that was there, and nothing else', async () => {
  writeFileSync(join(out, 'x.csv'), 'before');
  const stop = new AbortController();
  stop.abort();
  const failure = await run('csv', everything, stop.signal).catch((error: unknown) => error);
  expect((failure as VouchFailure).error.code).toBe('cancelled');
  expect(readdirSync(out)).toEqual(['x.csv']);
  expect(written('csv')).toBe('before');
});

test('a place that cannot be written is named', async () => {
  const wanted = { home, format: 'csv' as const, out: join(out, 'missing', 'x.csv'), scope: everything };
  const failure = await exportFile(workerUrl, wanted, { signal: new AbortController().signal }).catch(
    (e: unknown) => e,
  );
  expect((failure as VouchFailure).error).toMatchObject({ code: 'export_failed', params: { path: wanted.out } });
});

test('a photo is never written over, not by a link either', async () => {
  const link = join(out, 'verdicts.csv');
  symlinkSync(join(samples, 'cat.jpg'), link);
  const ours = locateHome(home);
  for (const path of [join(samples, 'cat.jpg'), link]) expect(await refusal(path, ours)).toBe('export_over_photo');
  expect(await safeOutput(join(out, 'new.csv'), ours)).toBe(join(out, 'new.csv'));
});

test('nothing of Vouch itself is written over, not by a link either', async () => {
  const ours = locateHome(home);
  const { file: backup } = await store.upkeep.backup();
  symlinkSync(home, join(out, 'link'));
  const own = [ours.database, `${ours.database}-wal`, ours.settings, join(ours.packs, 'x'), backup];
  for (const path of [...own, join(out, 'link', 'vouch.db')]) {
    expect(await refusal(path, ours), path).toBe('export_over_home');
  }
  for (const path of [join(home, 'verdicts.csv'), join(ours.backups, 'new.db'), `${home}-2.csv`]) {
    expect(await safeOutput(path, ours)).toBe(path);
  }
});
