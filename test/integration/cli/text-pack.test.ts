/** A pack whose statements go through a graph, as a person uses it: each command is a process of its own. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  evalDocumentSchema,
  judgeDocumentSchema,
  scanDocumentSchema,
  searchDocumentSchema,
  verdictsDocumentSchema,
} from '../../../main/contract/cli.ts';
import { writeTextPack } from '../../fixtures/packs/text-pack.ts';
import { writePhotos } from '../inference/rig.ts';
import { vouch } from './vouch.ts';

let home: string;
let photos: string;
let paths: readonly string[];
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'vouch-text-'));
  photos = join(home, 'photos');
  mkdirSync(photos);
  writeTextPack(join(home, 'packs', 'fixture-text'));
  paths = await writePhotos(photos, 5);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const json = async (...args: readonly string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await vouch(...args, '--home', home, '--model', 'fixture-text', '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};
const scan = async (...texts: readonly string[]) =>
  scanDocumentSchema.parse(await json('scan', photos, ...texts.flatMap((text) => ['-s', text]), '--device', 'cpu'));
const verdicts = async () => {
  const { stdout } = await vouch('verdicts', '--home', home, '--limit', '1000', '--json');
  return verdictsDocumentSchema.parse(JSON.parse(stdout)).items;
};

it('is scanned, and new statements are judged on what it saw', async () => {
  const first = await scan('a dog', 'a cat');
  expect(first).toMatchObject({ photos: { found: 5, judged: 5, quarantined: 0 }, model: { id: 'fixture-text' } });
  // The text graph is gone, but what it made of these two is kept.
  const graph = join(home, 'packs', 'fixture-text', 'onnx', 'text.onnx');
  const bytes = readFileSync(graph);
  writeFileSync(graph, 'no graph');
  rmSync(join(home, 'graphs'), { recursive: true, force: true });
  expect((await scan('a dog', 'a cat')).photos).toMatchObject({ judged: 0, cached: 5 });
  writeFileSync(graph, bytes);
  const third = await scan('a red car');
  expect(third.photos).toMatchObject({ judged: 0, cached: 5 });
  const all = await verdicts();
  expect(all).toHaveLength(15);
  expect(new Set(all.map(({ confidence }) => confidence)).size).toBeGreaterThan(10);
});

it('judges one photo as the scan did', async () => {
  const judged = judgeDocumentSchema.parse(await json('judge', paths[0]!, '-s', 'a dog', '--device', 'cpu'));
  const stored = (await verdicts()).find(({ path, statement }) => path === paths[0] && statement === 'a dog')!;
  expect(judged).toMatchObject({ label: stored.label, confidence: stored.confidence });
  expect(judged.sent.parts).toEqual(['a dog']);
});

it('is searched by its own score', async () => {
  const { items } = searchDocumentSchema.parse(await json('search', 'a dog'));
  expect(items).toHaveLength(5);
  const scores = items.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  const { items: others } = searchDocumentSchema.parse(await json('search', 'a tall tree'));
  expect(others.map(({ score }) => score)).not.toEqual(scores);
});

it('is scored on labelled pairs', async () => {
  const file = join(home, 'pairs.tsv');
  const rows = paths.flatMap((path) => ['a dog', 'a bicycle'].map((text) => `${basename(path)}\tyes\t${text}`));
  writeFileSync(file, ['photo\tlabel\tstatement', ...rows].join('\n'));
  const figures = evalDocumentSchema.parse(await json('eval', file, '--photos', photos, '--device', 'cpu'));
  expect(figures).toMatchObject({ pairs: 10, photos: 5 });
});
