/** Whole scans on a pack that has two input sizes, through real sessions. */
import { afterEach, expect, it } from 'vitest';
import { defaultSettings } from '../../../main/contract/settings.ts';
import { preprocessVersion } from '../../../main/images/preprocess-version.ts';
import { fixtureSide } from '../../fixtures/packs/fixture-packs.ts';
import { writePhotos } from '../inference/rig.ts';
import { type Library, openLibrary } from './rig.ts';

const [large, small] = [2 * fixtureSide, fixtureSide];

afterEach(() => {
  delete process.env.VOUCH_FAULTS;
});

const evidenceAt = async ({ store, judging }: Library, path: string, inputSize: number) => {
  const key = { packSha256: judging.pack.sha256, precision: null, inputSize, preprocessVersion };
  return store.results.evidence((await store.photos.idAt(path))!, key);
};

it('keeps evidence by the input size that was asked for', async () => {
  const library = await openLibrary(undefined, 'sizes');
  const photos = await writePhotos(library.photos, 3);
  expect((await library.scan()).engine!.info.inputSize).toBe(large);
  const atLarge = await evidenceAt(library, photos[0]!, large);
  expect(atLarge).not.toBeNull();
  expect(await evidenceAt(library, photos[0]!, small)).toBeNull();

  // Another statement is judged on what evidence there is; at another size there is none.
  const statements = await library.addStatements({ text: 'a bird' });
  expect((await library.scan({ statements })).photos).toMatchObject({ judged: 0, cached: 3 });
  const more = await library.addStatements({ text: 'a fish' });
  const fixed = await library.scanWith({ inputSize: small }, { statements: more });
  expect(fixed.photos).toMatchObject({ judged: 3, cached: 0 });
  expect(fixed.engine!.info.inputSize).toBe(small);
  const atSmall = await evidenceAt(library, photos[0]!, small);
  expect(atSmall).not.toBeNull();
  expect(atSmall).not.toEqual(atLarge);
  expect(await evidenceAt(library, photos[0]!, large)).toEqual(atLarge);
});

it('refuses an input size that the pack lacks', async () => {
  const library = await openLibrary(undefined, 'sizes');
  await expect(library.scanWith({ inputSize: 48 })).rejects.toMatchObject({
    error: { code: 'input_size_unavailable', params: { size: 48, detail: 'fixture-sizes has 64, 32' } },
  });
});

it('judges at the smaller size while memory is short, marks that, and judges it again when asked', async () => {
  const calm = { ...defaultSettings.ladder, memoryFirst: 90, memorySecond: 95, memoryEveryMs: 100, memoryCalmMs: 500 };
  const library = await openLibrary(undefined, 'sizes', { ladder: calm });
  const { photos, judging, store, scan } = library;
  const count = 60;
  const paths = await writePhotos(photos, count);
  process.env.VOUCH_FAULTS = JSON.stringify([
    { host: 'core', what: 'memory_pressure', match: 'memory', percent: 70 },
    { host: 'inference', what: 'slow', match: 'scan', ms: 20 },
  ]);
  const engine = await judging.engine();
  const becomes = (size: number) => expect.poll(() => engine.info().inputSize, { timeout: 120_000 }).toBe(size);

  // In the middle of the run, 70 % of the memory become too much.
  let pressed: Promise<void> | undefined;
  const press = async () => {
    engine.setLadder({ ...calm, memoryFirst: 60 });
    await becomes(small);
  };
  const whileRunning = async () => {
    if (engine.stats().samples >= 5) pressed ??= press();
    await pressed;
  };
  const summary = await scan({ whileRunning });
  expect(summary.photos).toMatchObject({ found: count, judged: count, quarantined: 0 });
  const codes = summary.degradation.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['input_reduced', 'grades_raised']));
  expect(codes).not.toContain('batch_reduced');

  const verdicts = async () => (await store.verdicts.list({}, { limit: 1000 })).items;
  const all = await verdicts();
  expect(new Set(all.map(({ path, statement }) => `${path} ${statement}`)).size).toBe(2 * count);
  expect(all).toHaveLength(2 * count);
  const degraded = new Set(all.filter((item) => item.degraded).map(({ path }) => path));
  expect(degraded.size).toBeGreaterThan(0);
  expect(degraded.size).toBeLessThan(count);
  for (const item of all) if (item.degraded) expect(item).toMatchObject({ wantsReview: true });
  for (const path of paths) {
    expect((await evidenceAt(library, path, large)) === null).toBe(degraded.has(path));
    expect(await evidenceAt(library, path, small)).toBeNull();
  }

  engine.setLadder(calm);
  await becomes(large);
  await expect.poll(() => engine.stats().degradation, { timeout: 120_000 }).toEqual([]);
  const past = engine.stats().pastDegradation.map(({ code, cause }) => ({ code, cause }));
  expect(past).toContainEqual({ code: 'input_reduced', cause: 'memory' });
  expect((await scan({ recheck: { kind: 'degraded' } })).photos).toMatchObject({
    judged: degraded.size,
    cached: count - degraded.size,
  });
  expect((await verdicts()).filter((item) => item.degraded)).toEqual([]);
  for (const path of paths) expect(await evidenceAt(library, path, large)).not.toBeNull();
});
