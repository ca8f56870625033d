import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanDocumentSchema } from '../../../main/contract/cli.ts';
import { root, startVouch, vouch } from './vouch.ts';

const photos = 96;
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'vouch-interrupt-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Stored by now; a database that is still being made has none. Looked up here: a command of its own may come too late. */
const verdictsIn = (home: string): number => {
  try {
    const db = new Database(join(home, 'vouch.db'), { readonly: true });
    try {
      return db.prepare<[], number>('SELECT count(*) FROM verdicts').pluck().get() ?? 0;
    } finally {
      db.close();
    }
  } catch {
    return 0;
  }
};

it('an interrupted scan exits 130, keeps what is finished, and the next run goes on', async () => {
  const folder = join(dir, 'photos');
  const home = join(dir, 'home');
  mkdirSync(folder);
  for (let i = 0; i < photos; i++) {
    const file = join(folder, `${i}.jpg`);
    copyFileSync(join(root, 'resources', 'samples', 'cat.jpg'), file);
    // Bytes after the image's end make each its own photo.
    appendFileSync(file, `copy ${i}`);
  }
  const child = startVouch(['scan', folder, '-s', 'a cat', '--home', home, '--json']);
  const ended = new Promise<number | null>((done) => child.on('close', done));
  let stored = 0;
  while (stored === 0 && child.exitCode === null) {
    await new Promise((wake) => setTimeout(wake, 20));
    stored = verdictsIn(home);
  }
  child.kill('SIGINT');
  expect(await ended).toBe(130);

  const next = await vouch('scan', folder, '-s', 'a cat', '--home', home, '--json');
  expect(next.code, next.stderr).toBe(0);
  const document = scanDocumentSchema.parse(JSON.parse(next.stdout));
  expect(document.photos.found).toBe(photos);
  expect(document.photos.cached).toBeGreaterThanOrEqual(stored);
  expect(document.photos.judged).toBeGreaterThan(0);
  expect(document.photos.cached + document.photos.judged).toBe(photos);
  expect(document.verdicts.yes + document.verdicts.no + document.verdicts.maybe).toBe(photos);
});

it.each(['auto', 'fp32'])(
  'an interrupted bench with --precision %s exits 130 and prints nothing',
  async (precision) => {
    const home = join(dir, `bench-${precision}`);
    const child = startVouch(['bench', '--precision', precision, '--home', home, '--json']);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const ended = new Promise<number | null>((done) => child.on('close', done));
    const log = join(home, 'logs', 'vouch.jsonl');
    const started = () => existsSync(log) && readFileSync(log, 'utf8').includes('"engine_started"');
    while (!started() && child.exitCode === null) await new Promise((wake) => setTimeout(wake, 20));
    child.kill('SIGINT');
    expect(await ended, stderr).toBe(130);
    expect(stdout).toBe('');
  },
);
