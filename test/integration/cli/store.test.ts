/** What the command line says when the store or a set is not as it should be. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verdictsDocumentSchema } from '../../../main/contract/cli.ts';
import { openStore } from '../../../main/store/core/client.ts';
import { root, vouch } from './vouch.ts';

const samples = join(root, 'resources', 'samples');
const workerUrl = new URL('../../../main/store/sql/worker.ts', import.meta.url);
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'vouch-cli-store-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('a bad set is refused with its line', async () => {
  const file = join(dir, 'bad.yaml');
  writeFileSync(file, 'name: pets\nstatements:\n  - text: a dog\n    yes: often\n');
  const ended = await vouch('scan', samples, '--set', file, '--home', join(dir, 'bad-set'), '--json');
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(`${file}, line 4: `);
});

it('a second writer is turned away while one holds the store, and let in after', async () => {
  const home = join(dir, 'held');
  const opened = await openStore({ home, mode: 'write', workerUrl });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  try {
    const ended = await vouch('scan', samples, '-s', 'a cat', '--home', home, '--json');
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(ended.stderr).toContain(`process ${process.pid}`);
    const reading = await vouch('verdicts', '--home', home, '--json');
    expect(reading.code, reading.stderr).toBe(0);
  } finally {
    await opened.store.close();
  }
  const after = await vouch('backup', '--home', home, '--json');
  expect(after.code, after.stderr).toBe(0);
});

it('a corrupt database is set aside, not overwritten, and the backup it names brings it back', async () => {
  const home = join(dir, 'corrupt');
  const statement = ['-s', 'a cat'];
  expect((await vouch('scan', samples, ...statement, '--home', home)).code).toBe(0);
  const { file } = JSON.parse((await vouch('backup', '--home', home, '--json')).stdout);
  for (const name of ['vouch.db-wal', 'vouch.db-shm']) rmSync(join(home, name), { force: true });
  const noise = Buffer.alloc(65_536, 'not a database');
  writeFileSync(join(home, 'vouch.db'), noise);

  const ended = await vouch('scan', samples, ...statement, '--home', home, '--json');
  expect(ended).toMatchObject({ code: 5, stdout: '' });
  expect(ended.stderr).toContain(`vouch restore ${file}`);
  const aside = readdirSync(home).filter((name) => name.startsWith('vouch.db.damaged-'));
  expect(aside).toHaveLength(1);
  expect(readFileSync(join(home, aside[0]!)).equals(noise)).toBe(true);

  expect((await vouch('restore', file, '--home', home)).code).toBe(0);
  const listed = await vouch('verdicts', '--home', home, '--json');
  expect(JSON.parse(listed.stdout).total).toBe(12);
});

it('no photo, folder or file of Vouch is written over, and a restore says what it brought back', async () => {
  const home = join(dir, 'outputs');
  const photo = join(dir, 'photo.jpg');
  copyFileSync(join(samples, 'cat.jpg'), photo);
  const pairs = join(dir, 'pairs.tsv');
  writeFileSync(pairs, 'photo\tlabel\tstatement\nphoto.jpg\tyes\ta cat\n');
  const made = await vouch('backup', join(dir, 'outputs.db'), '--home', home, '--json');
  const database = readFileSync(join(home, 'vouch.db'));

  for (const args of [
    ['backup', photo],
    ['backup', dir],
    ['backup', join(home, 'vouch.db')],
    ['export', '--format', 'csv', '--out', join(home, 'vouch.db')],
    ['export', '--format', 'csv', '--out', join(dir, 'missing', 'x.csv'), '--dry-run'],
    ['review', '--log', join(dir, 'missing', 'x.csv')],
    ['eval', pairs, '--photos', dir, '--predictions', photo],
    ['restore', dir],
  ]) {
    expect(await vouch(...args, '--home', home, '--json'), args.join(' ')).toMatchObject({ code: 2, stdout: '' });
  }
  expect(readFileSync(photo).equals(readFileSync(join(samples, 'cat.jpg')))).toBe(true);
  expect(readFileSync(join(home, 'vouch.db')).equals(database)).toBe(true);

  const { file, bytes } = JSON.parse(made.stdout);
  const restored = await vouch('restore', file, '--home', home, '--json');
  expect(JSON.parse(restored.stdout)).toEqual({ file: join(home, 'vouch.db'), bytes });
});

it('a home that cannot be made is the store that cannot be had', async () => {
  const file = join(dir, 'file');
  writeFileSync(file, '');
  const ended = await vouch('scan', samples, '-s', 'a cat', '--home', join(file, 'home'), '--json');
  expect(ended).toMatchObject({ code: 5, stdout: '' });
  expect(ended.stderr).toContain(join(file, 'home'));
});

it('verdicts of a grade are of that grade, and all grades make up the total', async () => {
  const home = join(dir, 'grades');
  expect((await vouch('scan', samples, '-s', 'a cat', '-s', 'a person', '--home', home)).code).toBe(0);
  const totals: number[] = [];
  for (const grade of ['high', 'medium', 'low'] as const) {
    const ended = await vouch('verdicts', '--grade', grade, '--home', home, '--json');
    const { total, items } = verdictsDocumentSchema.parse(JSON.parse(ended.stdout));
    expect(items.every((item) => item.grade === grade)).toBe(true);
    totals.push(total);
  }
  expect(totals.reduce((sum, total) => sum + total, 0)).toBe(24);
  expect(Math.max(...totals)).toBeLessThan(24);
});
