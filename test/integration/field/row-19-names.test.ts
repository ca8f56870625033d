import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { imageFiles, orientedJpeg } from '../../fixtures/images/make.ts';
import { vouch } from '../cli/vouch.ts';

const dir = mkdtempSync(join(tmpdir(), 'vouch-names-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Long in all, each part short enough for any file system. */
const deep = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(100)).join('/');
const names = [
  'été (NFC).jpg'.normalize('NFC'),
  'été (NFD).jpg'.normalize('NFD'),
  '写真 📷.jpg',
  '👩‍👩‍👧‍👦.jpg',
  '-r leading dash.jpg',
  'quote \' and " and $HOME `x`.jpg',
  'percent %41 #1 ?.jpg',
  'dots . . ..jpg',
  ...(process.platform === 'win32' ? [] : ['line\nbreak.jpg', 'back\\slash.jpg', 'tab\t.jpg']),
  `${deep}/far down.jpg`,
];

it('row 19: names of every kind are kept as given, and one photo has one verdict per name', async () => {
  const { 'plain.jpg': photo } = await imageFiles();
  const folder = join(dir, 'photos');
  mkdirSync(join(folder, deep), { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), photo!);
  const other = join(folder, 'hôtel.jpg'.normalize('NFD'));
  writeFileSync(other, await orientedJpeg(3));
  const args = ['--home', join(dir, 'home'), '--json'];
  const done = await vouch('scan', folder, '-s', 'a dog', ...args);
  expect(done.code, done.stderr).toBe(0);
  const { photos } = JSON.parse(done.stdout);
  // The same bytes are judged once.
  expect(photos).toMatchObject({ found: names.length + 1, judged: 2, cached: names.length - 1, quarantined: 0 });
  // Found by a name that looks the same, and told as it is.
  for (const form of ['NFD', 'NFC'] as const) {
    const glob = join(folder, 'hôtel.jpg'.normalize(form));
    const listed = JSON.parse((await vouch('verdicts', '--path', glob, ...args)).stdout);
    expect(listed).toMatchObject({ total: 1, items: [{ path: other }] });
  }
  const again = JSON.parse((await vouch('scan', folder, '-s', 'a dog', ...args)).stdout);
  expect(again.photos).toMatchObject({ judged: 0, cached: names.length + 1 });
});
