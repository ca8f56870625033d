import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reviewDocumentSchema, searchDocumentSchema, verdictsDocumentSchema } from '../../../main/contract/cli.ts';
import { defaultSettings } from '../../../main/contract/settings.ts';
import { readPack } from '../../../main/packs/packs.ts';
import { reviewerName } from '../../../main/review/reviewer.ts';
import { openStore } from '../../../main/store/core/client.ts';
import type { Store } from '../../../main/store/types.ts';
import { writePolicy } from '../../../main/verdicts/local-policy.ts';
import { root, vouch } from './vouch.ts';

const workerUrl = new URL('../../../main/store/sql/worker.ts', import.meta.url);

let dir: string;
const home = () => ['--home', join(dir, 'home'), '--json'];

const listed = async (...args: string[]) => {
  const { code, stdout, stderr } = await vouch('queue', ...args, ...home());
  expect(code, stderr).toBe(0);
  return verdictsDocumentSchema.parse(JSON.parse(stdout));
};
const reviewed = async (...args: string[]) => {
  const { code, stdout, stderr } = await vouch(...args, ...home());
  expect(code, stderr).toBe(0);
  return reviewDocumentSchema.parse(JSON.parse(stdout));
};

const inStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
  const opened = await openStore({ home: join(dir, 'home'), mode: 'write', workerUrl });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  try {
    return await work(opened.store);
  } finally {
    await opened.store.close();
  }
};

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vouch-review-'));
  mkdirSync(join(dir, 'photos'));
  for (const name of ['cat.jpg', 'raccoon.jpg', 'coffee-cup.jpg', 'grass.jpg']) {
    copyFileSync(join(root, 'resources', 'samples', name), join(dir, 'photos', name));
  }
  const scan = await vouch('scan', join(dir, 'photos'), '-s', 'a cat', '-s', 'the cat is hungry', ...home());
  expect(scan.code, scan.stderr).toBe(0);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('reviewing at the command line', () => {
  it('decides what waits, and takes it back step by step', async () => {
    const before = await listed();
    expect(before.total).toBeGreaterThan(2);
    const [first, second] = before.items;
    expect(await reviewed('review', first!.id, '--label', 'no', '--note', 'no sign of it')).toMatchObject({
      kind: 'override',
      label: 'no',
      effectiveLabel: 'no',
      note: 'no sign of it',
      pairs: 1,
    });
    expect(await reviewed('review', second!.id, '--skip')).toMatchObject({ kind: 'skip', label: null });
    expect((await listed()).total).toBe(before.total - 2);
    expect(await reviewed('undo')).toMatchObject({ kind: 'undo', photo: second!.photo });
    expect(await reviewed('undo')).toMatchObject({ kind: 'undo', photo: first!.photo, effectiveLabel: first!.label });
    expect((await listed()).items).toEqual(before.items);
    const nothing = await vouch('undo', ...home());
    expect([nothing.code, nothing.stdout]).toEqual([2, '']);
  });

  it('draws an audit and keeps its answers hidden', async () => {
    const audit = await listed('--name', 'audit', '--draw', '3');
    expect(audit.total).toBe(3);
    const shown = await vouch('queue', '--name', 'audit', '--home', join(dir, 'home'));
    expect(shown.stdout).toContain(audit.items[0]!.id);
    expect(shown.stdout).not.toMatch(/\b(yes|no|maybe)\b/);
    await reviewed('review', audit.items[0]!.id, '--label', 'yes', '--blind');
    expect((await listed('--name', 'audit')).total).toBe(2);
  });

  it('writes the whole audit trail', async () => {
    const file = join(dir, 'trail.csv');
    const written = await vouch('review', '--log', file, ...home());
    expect(JSON.parse(written.stdout)).toEqual({ files: [file], rows: 5 });
    const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
    expect(header).toMatch(/^at,.*kind,.*reviewer/);
    expect(lines).toHaveLength(5);
    const other = join(dir, 'trail.jsonl');
    expect((await vouch('review', '--log', other, ...home())).code).toBe(0);
    const entries = readFileSync(other, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.map(({ kind }) => kind)).toEqual(['override', 'skip', 'undo', 'undo', 'override']);
    expect(entries[4]).toMatchObject({ blind: true, drawnWith: 3 / 8, model: 'concept-en', precision: 'fp32' });
  });

  it('finds photos by a text, without judging any', async () => {
    const { code, stdout, stderr } = await vouch('search', 'a cat', ...home());
    expect(code, stderr).toBe(0);
    const { items } = searchDocumentSchema.parse(JSON.parse(stdout));
    expect(items).toHaveLength(4);
    expect(items[0]!.path).toMatch(/cat\.jpg$/);
    expect(items.map(({ score }) => score)).toEqual(items.map(({ score }) => score).toSorted((a, b) => b - a));
    expect((await vouch('search', 'a cat', '--limit', '1', ...home())).stdout).toContain('cat.jpg');
  });

  it('takes flags back in the order of acts, as the window does', async () => {
    const { photo, statement } = await inStore(async (store) => {
      const [item] = (await store.verdicts.list({}, { limit: 1 })).items;
      const target = [{ photo: item!.photo, statementId: item!.statementId }];
      const reviewer = reviewerName(defaultSettings);
      await store.flags.set(target, 'odd', reviewer, 1);
      await store.reviews.add([{ verdict: item!.id }], { kind: 'override', label: 'yes', reviewer, at: 2 });
      await store.flags.clear(target, '', reviewer, 3);
      return item!;
    });
    const effectiveLabel = 'yes';
    expect(await reviewed('undo')).toMatchObject({ kind: 'undo', photo, statement, effectiveLabel, flagged: true });
    expect(await reviewed('undo')).toMatchObject({ kind: 'undo', photo, flagged: null });
    const last = await vouch('undo', '--home', join(dir, 'home'));
    expect(last.stdout).toMatch(/^undo .*: ".*" is not flagged\n$/);
    expect(await inStore((store) => store.verdicts.list({ flagged: true }, { limit: 1 }))).toMatchObject({ total: 0 });
  });

  it('finishes deciding again, where a process ended half-way, before anything else is written', async () => {
    const decided = async (store: Store) =>
      (await store.verdicts.list({}, { limit: 100 })).items.filter(({ label }) => label !== 'maybe').length;
    const pack = readPack(join(root, 'models', 'packs', 'concept-en')).sha256;
    const interrupted = {
      riskControl: { yes: 1, no: 1 },
      calibrations: null,
      plan: null,
      revision: 1,
      appliedStamp: null,
    };
    const before = await inStore(async (store) => {
      await writePolicy(store, pack, interrupted);
      return decided(store);
    });
    expect(before).toBeGreaterThan(0);
    expect((await vouch('queue', '--draw', '1', ...home())).code).toBe(0);
    expect(await inStore(decided)).toBe(0);
  });

  it.each([
    ['no id', ['review', '--confirm']],
    ['no decision', ['review', '0192f3a0-0000-7000-8000-000000000000']],
    ['two decisions', ['review', '0192f3a0-0000-7000-8000-000000000000', '--confirm', '--skip']],
    ['an unknown verdict', ['review', '0192f3a0-0000-7000-8000-000000000000', '--confirm']],
    ['an unknown queue', ['queue', '--name', 'later']],
    ['a trail of another kind', ['review', '--log', 'trail.txt']],
    ['nothing to look for', ['search', 'maybe']],
  ])('refuses %s', async (_, args) => {
    const { code, stdout, stderr } = await vouch(...args, ...home());
    expect([code, stdout], stderr).toEqual([2, '']);
    expect(stderr.length).toBeGreaterThan(10);
  });
});
