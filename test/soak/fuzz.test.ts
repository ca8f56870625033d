import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vouch } from '../integration/cli/vouch.ts';
import { type BadFile, badFiles, formats, type Kind, kinds, photoNote } from './bad-files.ts';

const least = 2000;
type Scanned = Readonly<{
  photos: Record<'found' | 'judged' | 'cached' | 'quarantined' | 'ignored', number>;
  quarantined: readonly Readonly<{ path: string; reason: string; reasonCode: string }>[];
}>;
type Placed = BadFile & Readonly<{ path: string }>;

/** One sentence for a person: no undefined value, no control character, no stack, no bare code. */
const sentence = /^[A-Z][^\p{Cc}]{8,400}\.$/u;
const unreadable = /undefined|\[object|NaN|\bat \S+:\d+:\d+|�/;

const dir = mkdtempSync(join(tmpdir(), 'vouch-fuzz-'));
const home = join(dir, 'home');
const scan = () => vouch('scan', join(dir, 'photos'), '-s', 'an animal', '--home', home, '--json');
let placed: readonly Placed[] = [];
let first: Scanned;
/** Why each file was quarantined; the others were judged, or have the bytes of one that was. */
let codes: ReadonlyMap<string, string>;

const place = (file: BadFile, i: number): Placed => {
  const folder = join(dir, 'photos', file.kind);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${String(i).padStart(5, '0')}-${file.of}.${file.extension}`);
  writeFileSync(path, file.bytes);
  return { ...file, path };
};
const ofKind = (kind: Kind): readonly Placed[] => placed.filter((file) => file.kind === kind);
const codesOf = (files: readonly Placed[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { path } of files) {
    const code = codes.get(path) ?? 'judged';
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
};
/** Files of a kind with any other outcome than these. */
const others = (kind: Kind, ...allowed: readonly string[]) =>
  ofKind(kind)
    .map(({ path, of, note = '' }) => `${of} ${note}: ${codes.get(path) ?? 'judged'}`)
    .filter((outcome) => !allowed.includes(outcome.split(': ')[1]!));

beforeAll(async () => {
  placed = (await badFiles(least)).map(place);
  const done = await scan();
  expect(done.code, done.stderr).toBe(0);
  first = JSON.parse(done.stdout);
  codes = new Map(first.quarantined.map(({ path, reasonCode }) => [path, reasonCode]));
  for (const kind of kinds) console.log(kind, ofKind(kind).length, codesOf(ofKind(kind)));
}, 900_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe(`${least} and more bad files`, () => {
  it('are of all kinds and formats, and all accounted for', () => {
    expect(placed.length).toBeGreaterThanOrEqual(least);
    for (const kind of ['zero', 'random', 'truncated', 'renamed', 'declared', 'mutated'] as const) {
      expect(new Set(ofKind(kind).map(({ of }) => of)), kind).toEqual(new Set(formats));
    }
    const { photos, quarantined } = first;
    expect(photos).toMatchObject({ found: placed.length, ignored: 0, quarantined: quarantined.length });
    expect(photos.judged + photos.cached + photos.quarantined).toBe(photos.found);
    expect(codes.size).toBe(quarantined.length);
  });

  it('zero bytes: quarantined as empty, or as no image', () => {
    const empty = ofKind('zero').filter(({ bytes }) => bytes.length === 0);
    expect(codesOf(empty)).toEqual({ empty_file: formats.length });
    expect(others('zero', 'empty_file', 'not_an_image')).toEqual([]);
  });

  it('random bytes: quarantined, whatever the name', () => {
    expect(others('random', 'not_an_image', 'unsupported_format', 'undecodable')).toEqual([]);
  });

  it('cut off at each tenth: judged as far as they go and sent to review, or quarantined', async () => {
    expect(others('truncated', 'judged', 'empty_file', 'not_an_image', 'unsupported_format', 'undecodable')).toEqual(
      [],
    );
    const parts = ofKind('truncated').filter(({ note, bytes }) => note?.endsWith(photoNote) && bytes.length > 0);
    expect(parts).toHaveLength(9);
    expect(codesOf(parts)).toEqual({ judged: 9 });
    const done = await vouch(
      'verdicts',
      '--wants-review',
      '--path',
      '**/truncated/**',
      '--limit',
      '10000',
      '--home',
      home,
      '--json',
    );
    const listed = JSON.parse(done.stdout) as { items: readonly { path: string; damaged: boolean }[] };
    const damaged = new Set(listed.items.filter((item) => item.damaged).map(({ path }) => path));
    expect(parts.filter(({ path }) => !damaged.has(path)).map(({ path }) => path)).toEqual([]);
  });

  it('the name of another format: judged by what they hold', () => {
    expect(others('renamed', 'judged')).toEqual([]);
  });

  it('30,000 x 30,000 pixels declared: refused before any is decoded', () => {
    expect(others('declared', 'too_many_pixels', 'undecodable')).toEqual([]);
    const refused = new Set(
      ofKind('declared')
        .filter(({ path }) => codes.get(path) === 'too_many_pixels')
        .map(({ of }) => of),
    );
    for (const of of ['jpg', 'png', 'gif', 'tiff', 'bmp'] as const) expect(refused, of).toContain(of);
  });

  it('thousands of frames: the first is judged', () => {
    expect(others('deep', 'judged')).toEqual([]);
  });

  it("anything else: no file's bytes take a host down, or reach the model and fail there", () => {
    expect(
      others('mutated', 'judged', 'empty_file', 'not_an_image', 'unsupported_format', 'undecodable', 'too_many_pixels'),
    ).toEqual([]);
    const log = readdirSync(join(home, 'logs')).map((name) => readFileSync(join(home, 'logs', name), 'utf8'));
    const down = log.flatMap((text) => text.split('\n').filter((line) => line.includes('"host_down"')));
    expect(down.filter((line) => /"how":"(crashed|hung|killed)"/.test(line))).toEqual([]);
  });

  it('every reason is a sentence for a person', () => {
    const odd = first.quarantined.filter(({ reason }) => !sentence.test(reason) || unreadable.test(reason));
    expect(odd).toEqual([]);
  });

  it('nothing is judged or tried again by the next scan', async () => {
    const again = await scan();
    expect(again.code, again.stderr).toBe(0);
    const { quarantined } = first.photos;
    expect(JSON.parse(again.stdout).photos).toMatchObject({ found: placed.length, judged: 0, quarantined });
  });
});
