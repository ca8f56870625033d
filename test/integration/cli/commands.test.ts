import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  backupDocumentSchema,
  doctorDocumentSchema,
  evalDocumentSchema,
  judgeDocumentSchema,
  scanDocumentSchema,
  verdictsDocumentSchema,
} from '../../../main/contract/cli.ts';
import type { LadderSettings } from '../../../main/contract/settings.ts';
import { root, vouch } from './vouch.ts';

const samples = join(root, 'resources', 'samples');
const set = join(root, 'resources', 'statements', 'samples.yaml');
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'vouch-cli-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const at = (...path: string[]) => join(dir, ...path);

describe('the samples', () => {
  it('are judged as they were, and known the second time', async () => {
    const first = await vouch('scan', samples, '--set', set, '--home', at('samples'), '--json');
    expect(first.code, first.stderr).toBe(0);
    const document = scanDocumentSchema.parse(JSON.parse(first.stdout));
    expect(document.photos).toMatchObject({ found: 12, judged: 12, quarantined: 0 });
    expect(document.device).toMatchObject({ used: 'cpu', proof: { agreesWithCpu: true } });

    const listed = await vouch('verdicts', '--home', at('samples'), '--limit', '1000', '--json');
    const { items, total } = verdictsDocumentSchema.parse(JSON.parse(listed.stdout));
    expect(total).toBe(96);
    const labels = Object.fromEntries(
      items
        .map(({ path, statement, label }) => [`${path.slice(samples.length + 1)}: ${statement}`, label] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    await expect(`${JSON.stringify(labels, null, 2)}\n`).toMatchFileSnapshot('samples.golden.json');

    const again = await vouch('scan', samples, '--set', set, '--home', at('samples'), '--json');
    const second = scanDocumentSchema.parse(JSON.parse(again.stdout));
    expect(second.photos).toMatchObject({ judged: 0, cached: 12 });
    expect(second.device.used).toBeNull();
  });

  it('can be listed by label, statement, path and wish for review; the limit never changes the total', async () => {
    const list = async (...args: string[]) =>
      verdictsDocumentSchema.parse(
        JSON.parse((await vouch('verdicts', '--home', at('samples'), '--json', ...args)).stdout),
      );
    const yes = await list('--label', 'yes');
    expect(yes.items.length).toBeGreaterThan(0);
    expect(yes.items.every(({ effectiveLabel }) => effectiveLabel === 'yes')).toBe(true);
    expect((await list('--label', 'yes', '--limit', '1')).total).toBe(yes.total);
    expect((await list('--statement', 'a cat')).total).toBe(12);
    expect((await list('--path', '**/cat.jpg')).total).toBe(8);
    expect((await list('--wants-review')).total).toBeLessThan(96);
  });
});

describe('exit codes', () => {
  it.each([
    ['a missing folder', ['scan', 'no-such-folder', '-s', 'a dog'], 2],
    ['a file for a folder', ['scan', set, '-s', 'a dog'], 2],
    ['no statement', ['scan', samples], 2],
    ['only hedges', ['scan', samples, '-s', 'probably, perhaps'], 2],
    ['an unknown option', ['scan', samples, '--no-such-option'], 2],
    ['judge on no image', ['judge', set, '-s', 'a dog'], 2],
    ['a number for the one CPU', ['judge', join(samples, 'cat.jpg'), '-s', 'a cat', '--device', 'cpu:1'], 2],
    ['an unknown pack', ['scan', samples, '-s', 'a dog', '--model', 'no-such-pack'], 3],
    ['a precision that the pack lacks', ['judge', join(samples, 'cat.jpg'), '-s', 'a cat', '--precision', 'bf16'], 3],
  ])('%s', async (_, args, code) => {
    const ended = await vouch(...args, '--home', at('codes'), '--json');
    expect(ended.code).toBe(code);
    expect(ended.stdout).toBe('');
    expect(ended.stderr.length).toBeGreaterThan(10);
  });

  it('an empty folder is done, with a message', async () => {
    mkdirSync(at('empty'));
    const ended = await vouch('scan', at('empty'), '-s', 'a dog', '--home', at('codes'));
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('No photos');
  });

  it('quarantines what is no image, judges the rest, and fails only when strict', async () => {
    mkdirSync(at('mixed'));
    copyFileSync(join(samples, 'cat.jpg'), at('mixed', 'cat.jpg'));
    writeFileSync(at('mixed', 'text.jpg'), 'hello');
    writeFileSync(at('mixed', 'empty.png'), '');
    writeFileSync(at('mixed', 'notes.txt'), 'notes');
    const before = readFileSync(at('mixed', 'cat.jpg'));
    const ended = await vouch('scan', at('mixed'), '-s', 'a cat', '--home', at('mixed-home'), '--json');
    expect(ended.code).toBe(0);
    const { photos, quarantined } = scanDocumentSchema.parse(JSON.parse(ended.stdout));
    expect(photos).toEqual({ found: 3, judged: 1, cached: 0, quarantined: 2, ignored: 1 });
    expect(quarantined.map(({ reasonCode }) => reasonCode).sort()).toEqual(['empty_file', 'not_an_image']);
    const strict = await vouch('scan', at('mixed'), '-s', 'a cat', '--home', at('mixed-home'), '--strict');
    expect(strict.code).toBe(4);
    expect(readFileSync(at('mixed', 'cat.jpg')).equals(before)).toBe(true);
  });
});

const homeWith = (name: string, ladder: Partial<LadderSettings>): string => {
  mkdirSync(at(name));
  writeFileSync(at(name, 'settings.json'), JSON.stringify({ ladder }));
  return at(name);
};

it('judge says why', async () => {
  // However slow the machine.
  const home = homeWith('judge', { interactiveCpuMs: 600_000 });
  const ended = await vouch('judge', join(samples, 'cat.jpg'), '-s', 'probably a cat', '--home', home, '--json');
  const document = judgeDocumentSchema.parse(JSON.parse(ended.stdout));
  expect(document.label).toBe('yes');
  expect(document.sent.removed).toEqual(['probably']);
  expect(document.explanation?.concepts[0]?.concept).toBe('cat');
});

it('judge is undecided where the time limit is missed, and says why nothing gets on', async () => {
  const home = homeWith('paused', { interactiveCpuMs: 300, pinned: 1 });
  const ended = await vouch('judge', join(samples, 'cat.jpg'), '-s', 'a cat', '--home', home, '--json');
  expect(ended.code, ended.stderr).toBe(0);
  expect(judgeDocumentSchema.parse(JSON.parse(ended.stdout))).toMatchObject({
    ...{ label: 'maybe', lean: null, confidence: null, grade: 'low', p: null, reasonCode: 'timed_out' },
    reason: 'The model did not answer within 300 ms.',
  });
  expect(ended.stderr).toContain('Judging is paused: held by hand');
});

it('eval scores pairs and writes predictions', async () => {
  writeFileSync(
    at('pairs.tsv'),
    'photo\tlabel\tkind\tstatement\ncat.jpg\tyes\tobject\ta cat\ncat.jpg\tno\tobject\ta dog\nrocket-launch.jpg\tno\tobject\ta cat\n',
  );
  const ended = await vouch(
    ...['eval', at('pairs.tsv'), '--photos', samples, '--predictions', at('predictions.tsv')],
    ...['--home', at('eval'), '--json'],
  );
  expect(ended.code, ended.stderr).toBe(0);
  const document = evalDocumentSchema.parse(JSON.parse(ended.stdout));
  expect(document).toMatchObject({ pairs: 3, photos: 2, falseYes: 0 });
  const lines = readFileSync(at('predictions.tsv'), 'utf8').trim().split('\n');
  expect(lines[0]).toBe('photo\tlabel\tkind\tstatement\tpredicted\tp_yes\tp_no\tp_maybe\treason_code');
  expect(lines).toHaveLength(4);
});

it('backup and restore bring verdicts back; doctor finds nothing wrong', async () => {
  const home = at('samples');
  const saved = backupDocumentSchema.parse(JSON.parse((await vouch('backup', '--home', home, '--json')).stdout));
  await vouch('scan', at('mixed'), '-s', 'a cat', '--home', home);
  const restored = await vouch('restore', saved.file, '--home', home, '--json');
  expect(restored.code, restored.stderr).toBe(0);
  const listed = await vouch('verdicts', '--home', home, '--json');
  expect(JSON.parse(listed.stdout).total).toBe(96);
  const doctor = doctorDocumentSchema.parse(JSON.parse((await vouch('doctor', '--home', home, '--json')).stdout));
  expect(doctor.checks.find(({ name }) => name === 'device')?.detail).toMatch(
    /^asked for auto, used cpu, .* nodes on it/,
  );
  expect(doctor.checks.filter(({ ok, name }) => !ok && name !== 'watching' && name !== 'disk')).toEqual([]);
});
