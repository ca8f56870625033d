/** What a packaged app decodes with on Linux, against what the command line decodes with, photo by photo. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Decoder } from '../../../main/images/host/sharp.ts';
import { type Decoded, type Outcome, type Picture, tiled } from '../../fixtures/images/decode-with.ts';
import { writeImageFiles } from '../../fixtures/images/make.ts';
import { animatedAvif, jpeg2000Heic, profiledHeic, rawFiles, runLengthBmp } from '../../fixtures/images/odd.ts';

const run = promisify(execFile);
const script = resolve(import.meta.dirname, '../../fixtures/images/decode-with.ts');
const samples = resolve(import.meta.dirname, '../../../resources/samples');

const installed = (): boolean => {
  try {
    createRequire(import.meta.url).resolve('@img/sharp-wasm32/sharp.node');
    return true;
  } catch {
    return false;
  }
};

/** On one kind of processor they agree to the bit; vector instructions of another may round differently. */
const viewTolerance = 2;
const meanTolerance = 0.5;
const hashTolerance = 4;

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64');
const differences = (a: string, b: string): readonly number[] => {
  const [x, y] = [bytesOf(a), bytesOf(b)];
  expect(x.length).toBe(y.length);
  return Array.from(x, (value, i) => Math.abs(value - y[i]!));
};
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const alike = (a: Picture, b: Picture, name: string): void => {
  expect([a.width, a.height], name).toEqual([b.width, b.height]);
  expect(mean(differences(a.pixels, b.pixels)), name).toBeLessThan(meanTolerance);
};
const bitsApart = (a: string, b: string): number => {
  let apart = 0;
  for (let i = 0; i < a.length; i++) {
    for (let bits = Number.parseInt(a[i]!, 16) ^ Number.parseInt(b[i]!, 16); bits > 0; bits >>= 1) apart += bits & 1;
  }
  return apart;
};
/** What is no measurement of pixels: it must be the same, not just near. */
const facts = ({ info: { timingMs, prescreen, perceptualHash, ...rest } }: Decoded) => ({
  ...rest,
  flags: prescreen && [prescreen.blurred, prescreen.flat, prescreen.small],
  hashed: perceptualHash !== null,
});

describe.skipIf(!installed())('row 27: the WebAssembly build of sharp', () => {
  const dir = mkdtempSync(join(tmpdir(), 'vouch-wasm-'));
  const outcomes = {} as Record<Decoder, Outcome>;
  const both = (name: string): readonly [Decoded | string, Decoded | string] => [
    outcomes.native.photos[name]!,
    outcomes.wasm.photos[name]!,
  ];

  beforeAll(async () => {
    const folder = await writeImageFiles(join(dir, 'photos'));
    const odd: Readonly<Record<string, Uint8Array>> = {
      ...(await rawFiles()),
      'profiled.heic': await profiledHeic(),
      'jpeg-2000.heic': jpeg2000Heic(),
      'sequence.avif': await animatedAvif(),
      'runs.bmp': runLengthBmp(8),
      [tiled]: await sharp(join(samples, 'cat.jpg')).resize(1353, 900).jpeg({ quality: 90 }).toBuffer(),
    };
    for (const [name, bytes] of Object.entries(odd)) writeFileSync(join(folder, name), bytes);
    copyFileSync(join(samples, 'cat.jpg'), join(folder, 'cat.jpg'));
    for (const decoder of ['native', 'wasm'] as const) {
      const out = join(dir, `${decoder}.json`);
      await run(process.execPath, [script, decoder, folder, out]);
      outcomes[decoder] = JSON.parse(readFileSync(out, 'utf8'));
    }
  }, 180_000);
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('takes the place of the native one', () => {
    expect([outcomes.native.native, outcomes.wasm.native]).toEqual([true, false]);
  });

  it('decodes what the native one does, refuses what it does, and tells the same of them', () => {
    const names = Object.keys(outcomes.native.photos);
    expect(Object.keys(outcomes.wasm.photos)).toEqual(names);
    expect(names.length).toBeGreaterThan(45);
    for (const name of names) {
      const [native, wasm] = both(name);
      if (typeof native === 'string' || typeof wasm === 'string') expect(wasm, name).toBe(native);
      else expect(facts(wasm), name).toEqual(facts(native));
    }
  });

  it('sees the same photos', () => {
    for (const name of Object.keys(outcomes.native.photos)) {
      const [native, wasm] = both(name);
      if (typeof native === 'string' || typeof wasm === 'string') continue;
      alike(wasm.preview, native.preview, name);
      expect(wasm.view === null, name).toBe(native.view === null);
      if (wasm.view === null || native.view === null) continue;
      expect(Math.max(...differences(wasm.view, native.view)), name).toBeLessThanOrEqual(viewTolerance);
    }
  });

  it.each(['acme.cr2', 'acme.cr3', 'acme.dng', 'acme.raf'])('judges %s by its embedded preview', (name) => {
    const [, wasm] = both(name);
    expect(wasm).toMatchObject({ info: { camera: 'Acme Raw', damaged: false } });
  });

  it('converts HEIC by the profile that it carries', () => {
    const red = (name: string): number => bytesOf((both(name)[1] as Decoded).view!)[(8 * 64 + 8) * 3]!;
    expect(red('profiled.heic')).toBeGreaterThan(red('plain.heic') + 8);
  });

  it('gives a photo the same perceptual hash', () => {
    for (const name of ['cat.jpg', tiled]) {
      const [native, wasm] = both(name) as readonly [Decoded, Decoded];
      expect(bitsApart(native.info.perceptualHash!, wasm.info.perceptualHash!), name).toBeLessThanOrEqual(
        hashTolerance,
      );
    }
  });

  it('cuts the same tiles', () => {
    expect(outcomes.wasm.tiles.map(({ width, height }) => [width, height])).toEqual([
      [512, 388],
      [512, 450],
    ]);
    outcomes.wasm.tiles.forEach((tile, i) => {
      alike(tile, outcomes.native.tiles[i]!, `tile ${i}`);
    });
  });
});
