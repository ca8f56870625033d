import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { imageFiles } from '../fixtures/images/make.ts';
import { vouch } from '../integration/cli/vouch.ts';
import { mutate, mutations, random } from './mutate.ts';

const rounds = 15;
const noiseFiles = 100;
let dir: string;
let written = 0;

const heic = new URL('../fixtures/images/plain.heic', import.meta.url);
const sane = async (): Promise<ReadonlyArray<readonly [string, Uint8Array]>> =>
  Object.entries({ ...(await imageFiles()), 'plain.heic': readFileSync(heic) }).filter(
    ([, bytes]) => bytes.length > 100,
  );

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vouch-fuzz-'));
  const photos = join(dir, 'photos');
  mkdirSync(photos);
  const chance = random(20_260);
  const write = (extension: string, bytes: Uint8Array) => {
    writeFileSync(join(photos, `${String(written).padStart(5, '0')}${extension}`), bytes);
    written += 1;
  };
  for (const [name, bytes] of await sane()) {
    for (const kind of mutations) {
      for (let round = 0; round < rounds; round++) write(extname(name), mutate(bytes, kind, chance));
    }
  }
  const extensions = ['.jpg', '.png', '.webp', '.gif', '.tiff', '.avif', '.heic', '.bmp'];
  for (let i = 0; i < noiseFiles; i++) {
    const noise = Uint8Array.from({ length: Math.floor(chance() * 8192) }, () => chance() * 256);
    write(extensions[i % extensions.length]!, noise);
  }
}, 120_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** One sentence for a person: no undefined value, no control character, no stack, no bare code. */
const sentence = /^[A-Z][^\p{Cc}]{8,400}\.$/u;
const unreadable = /undefined|\[object|NaN|\bat \S+:\d+:\d+|�/;

it('accounts for every one of 1,500 and more broken files', async () => {
  expect(written).toBeGreaterThanOrEqual(1500);
  const args = ['scan', join(dir, 'photos'), '-s', 'an animal', '--home', join(dir, 'home'), '--json'];
  const first = await vouch(...args);
  expect(first.code, first.stderr).toBe(0);
  const { photos, quarantined } = JSON.parse(first.stdout);
  expect(photos.found).toBe(written);
  expect(photos.judged + photos.cached + photos.quarantined).toBe(written);
  expect(quarantined).toHaveLength(photos.quarantined);
  expect(photos.judged).toBeGreaterThan(100);
  expect(photos.quarantined).toBeGreaterThan(300);

  const odd = quarantined.filter(({ reason }: { reason: string }) => !sentence.test(reason) || unreadable.test(reason));
  expect(odd).toEqual([]);
  const codes = new Map<string, number>();
  for (const { reasonCode } of quarantined) codes.set(reasonCode, (codes.get(reasonCode) ?? 0) + 1);
  console.log(`of ${written} files ${photos.judged} were judged;`, Object.fromEntries(codes));
  // Nobody's bytes may take a host down, nor get as far as the model and fail there.
  expect(codes.has('kills_host') || codes.has('inference_failed')).toBe(false);

  const again = await vouch(...args);
  expect(again.code, again.stderr).toBe(0);
  expect(JSON.parse(again.stdout).photos).toMatchObject({ found: written, judged: 0, quarantined: photos.quarantined });
});
