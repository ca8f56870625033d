/** Faults on demand, through whole scans: nothing is lost, one verdict is current for each pair, the rung shows. */
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import type { Precision } from '../../../main/contract/labels.ts';
import { defaultSettings, type LadderSettings } from '../../../main/contract/settings.ts';
import type { EventName } from '../../../main/contract/telemetry.ts';
import type { Fault } from '../../../main/hosts/faults.ts';
import { preprocessVersion } from '../../../main/images/preprocess-version.ts';
import type { ScanSummary } from '../../../main/library/run-scan.ts';
import { fixtureSide } from '../../fixtures/packs/fixture-packs.ts';
import { writePhotos } from '../inference/rig.ts';
import { type Library, openLibrary } from './rig.ts';

afterEach(() => {
  delete process.env.VOUCH_FAULTS;
});

/** Hosts inherit the faults as they start. */
const withFaults = (...faults: readonly Fault[]) => {
  process.env.VOUCH_FAULTS = JSON.stringify(faults);
};
const quick = (change: Partial<LadderSettings> = {}): LadderSettings => ({
  ...defaultSettings.ladder,
  // Another program may fill this machine's memory: only the test that is about it looks at it.
  memoryFirst: 100,
  memorySecond: 100,
  ...change,
});
type Opening = Parameters<typeof openLibrary>;
const openWith = (ladder: LadderSettings, kind: Opening[1] = 'separable', judgingOptions: Opening[2] = {}) =>
  openLibrary(undefined, kind, { ladder, ...judgingOptions });

const codesOf = ({ degradation }: ScanSummary) => degradation.map(({ code }) => code);

/** Nearly white, but not flat. */
const writeBright = async (path: string): Promise<void> => {
  const values = Buffer.alloc(80 * 60 * 3, 255);
  values.fill(0, 0, 80 * 3);
  await sharp(values, { raw: { width: 80, height: 60, channels: 3 } })
    .jpeg()
    .toFile(path);
};

/** Every photo has exactly one current verdict on each of the two statements, each with a measured p. */
const expectWhole = async ({ store }: Library, { photos }: ScanSummary, count: number) => {
  expect(photos).toMatchObject({ found: count, judged: count, cached: 0, quarantined: 0 });
  const { total, items } = await store.verdicts.list({}, { limit: 1000 });
  expect(total).toBe(2 * count);
  expect(new Set(items.map(({ path, statement }) => `${path} ${statement}`)).size).toBe(2 * count);
  expect(items.filter(({ p }) => p === null)).toEqual([]);
  expect(await store.upkeep.check()).toEqual({ ok: true, problems: [] });
};

describe('a scan whose inference host', () => {
  it('crashes on every fourth photo judges every photo', async () => {
    const library = await openWith(quick());
    await writePhotos(library.photos, 10);
    withFaults({ host: 'inference', what: 'crash', nth: 4 });
    await expectWhole(library, await library.scan(), 10);
    expect(library.judging.startedEngine()!.stats().hosts[0]!.restarts).toBeGreaterThan(0);
    await expectBackInTime(library);
  });

  it('hangs once judges every photo once the host has been replaced', async () => {
    const library = await openWith(quick({ bulkMs: 1000 }));
    await writePhotos(library.photos, 8);
    withFaults({ host: 'inference', what: 'hang', nth: 3, once: join(library.photos, '..', 'hung') });
    const summary = await library.scan();
    await expectWhole(library, summary, 8);
    expect(codesOf(summary)).toContain('put_off');
    await expectBackInTime(library);
    await expectRecovered(library);
  });

  it('is slow for a while puts photos off, pauses, and judges them in the same run', async () => {
    // Far above what a photo takes on a busy machine, since the limit grows with that; under twice the limit it is no hang.
    const library = await openWith(quick({ bulkMs: 1000, breakerAfter: 3, breakerPauseMs: 500 }));
    await writePhotos(library.photos, 10);
    withFaults({ host: 'inference', what: 'slow', first: 4, ms: 1700 });
    const summary = await library.scan();
    await expectWhole(library, summary, 10);
    expect(codesOf(summary)).toEqual(expect.arrayContaining(['put_off', 'paused']));
    await expectRecovered(library);
  });

  it('runs out of memory twice goes on with int8 on the CPU, and comes back', async () => {
    const library = await openWith(quick({ probeAgainMs: 1500 }), 'reduced');
    await writePhotos(library.photos, 12);
    const mark = (name: string) => join(library.photos, '..', name);
    withFaults(
      { host: 'inference', what: 'out_of_memory', nth: 2, once: mark('first') },
      { host: 'inference', what: 'out_of_memory', nth: 6, once: mark('second') },
      { host: 'inference', what: 'slow', match: 'scan', ms: 30 },
    );
    const summary = await library.scan();
    await expectWhole(library, summary, 12);
    expect(codesOf(summary)).toEqual(expect.arrayContaining(['batch_reduced', 'grades_raised', 'device_fallback']));
    await expectRecovered(library);
  });

  it('loses its device judges on the CPU, marks what it judged there, and judges it again when asked', async () => {
    const library = await openWith(quick({ probeAgainMs: 3000 }), 'reduced');
    await writePhotos(library.photos, 10);
    withFaults({ host: 'inference', what: 'device_lost', nth: 3, once: join(library.photos, '..', 'lost') });
    const summary = await library.scan();
    await expectWhole(library, summary, 10);
    const { items } = await library.store.verdicts.list({}, { limit: 100 });
    const degraded = items.filter((item) => item.degraded);
    expect(degraded.length).toBeGreaterThan(0);
    for (const { precision, wantsReview, grade, label } of degraded) {
      expect(precision).toBe('int8');
      expect(wantsReview).toBe(true);
      expect(grade === 'high' || label === 'maybe').toBe(true);
    }
    await expectRecovered(library);
    const again = await library.scan({ recheck: { kind: 'degraded' } });
    expect(again.photos.judged).toBe(new Set(degraded.map(({ path }) => path)).size);
    const after = await library.store.verdicts.list({}, { limit: 100 });
    expect(after.items.filter((item) => item.degraded)).toEqual([]);
    expect(after.total).toBe(20);
  });
});

const inTimeMs = 120_000;
const loggedOnce = async (
  library: Library,
  event: EventName,
  is: (line: Readonly<Record<string, unknown>>) => boolean,
) => {
  const lines = () => library.logged(event).filter(is);
  await expect.poll(() => lines().length, { timeout: 120_000 }).toBeGreaterThan(0);
  return lines();
};

/** The host came up again, and the log says how long there was none. */
const expectBackInTime = async (library: Library) => {
  const ups = await loggedOnce(library, 'host_restart', ({ restarts }) => restarts !== 0);
  for (const { downMs } of ups) expect(downMs).toBeGreaterThan(0);
  expect(Math.max(...ups.map(({ downMs }) => Number(downMs)))).toBeLessThan(inTimeMs);
};

/** The engine stands on no rung any more, and the log says how long it stood on each. */
const expectRecovered = async (library: Library) => {
  const { stats } = library.judging.startedEngine()!;
  await expect.poll(() => stats().degradation, { timeout: inTimeMs }).toEqual([]);
  const left = await loggedOnce(library, 'recover', () => true);
  expect(Math.max(...left.map(({ lastedMs }) => Number(lastedMs)))).toBeLessThan(inTimeMs);
};

describe('a scan whose outputs are not finite', () => {
  it('judges those batches in fp32, says so in every place, and goes on in the chosen precision', async () => {
    const library = await openWith(quick({ calmMs: 1500 }), 'overflowing', { precision: 'fp16' });
    const { photos, store, judging } = library;
    await writePhotos(photos, 10);
    await writeBright(join(photos, 'bright.jpg'));
    withFaults({ host: 'inference', what: 'not_finite', first: 3 });
    const summary = await library.scan();
    await expectWhole(library, summary, 11);
    expect(codesOf(summary)).toContain('precision_fallback');
    expect(summary.engine!.info.precision).toBe('fp16');

    const { items } = await store.verdicts.list({}, { limit: 100 });
    const inFp32 = new Set(items.filter(({ precision }) => precision === 'fp32').map(({ path }) => basename(path)));
    const inFp16 = new Set(items.filter(({ precision }) => precision === 'fp16').map(({ path }) => basename(path)));
    // The fp16 weights themselves overflow on the bright photo; on others, the output was spoilt on demand.
    expect(inFp32).toContain('bright.jpg');
    expect(inFp32.size).toBeGreaterThan(1);
    expect(inFp16.size).toBe(11 - inFp32.size);
    expect(items.filter(({ degraded }) => degraded)).toEqual([]);

    const evidenceOf = async (path: string, precision: Precision) => {
      const key = { packSha256: judging.pack.sha256, inputSize: fixtureSide, preprocessVersion };
      return store.results.evidence((await store.photos.idAt(path))!, { ...key, precision });
    };
    expect(await evidenceOf(join(photos, 'bright.jpg'), 'fp32')).not.toBeNull();
    expect(await evidenceOf(join(photos, 'bright.jpg'), 'fp16')).toBeNull();

    await loggedOnce(library, 'not_finite', ({ photos: count }) => Number(count) > 0);
    await loggedOnce(library, 'degrade', ({ code }) => code === 'precision_fallback');
    await expectRecovered(library);
    await writePhotos(photos, 12);
    const after = await library.scan();
    expect(after.photos).toMatchObject({ found: 13, judged: 2, cached: 11 });
    expect(codesOf(after)).not.toContain('precision_fallback');
  });
});

describe('a scan whose image host', () => {
  it('crashes on one photo gives up that one only', async () => {
    const library = await openWith(quick());
    await writePhotos(library.photos, 5);
    withFaults({ host: 'image', what: 'crash', match: 'photo-2' });
    const summary = await library.scan();
    expect(summary.photos).toMatchObject({ found: 5, judged: 4, quarantined: 1 });
    expect(summary.quarantined[0]).toMatchObject({ reason: { code: 'kills_host', params: { host: 'image' } } });
  });
});

describe('a scan on a rung held by hand', () => {
  it('does what the rung says, tells so, and goes on as usual once it is let go', async () => {
    const library = await openWith(quick({ pinned: 4 }), 'reduced');
    const { photos, judging, store, scan } = library;
    await writePhotos(photos, 4);
    const engine = await judging.engine();
    const onCpu = await scan();
    await expectWhole(library, onCpu, 4);
    expect(onCpu.engine!.info.precision).toBe('int8');
    expect(codesOf(onCpu)).toEqual(expect.arrayContaining(['device_fallback', 'grades_raised']));
    const degraded = async () => (await store.verdicts.list({ degraded: true }, { limit: 1 })).total;
    expect(await degraded()).toBe(8);

    // On rung 1 nothing is judged; the scan waits for it to be let go.
    engine.setLadder(quick({ pinned: 1 }));
    const again = scan({ recheck: { kind: 'degraded' } });
    await expect
      .poll(() => engine.stats().degradation, { timeout: inTimeMs })
      .toMatchObject([{ code: 'paused', cause: 'pinned' }]);
    const before = engine.stats().samples;
    engine.setLadder(quick({ pinned: 2 }));
    expect((await again).photos).toMatchObject({ judged: 4 });
    expect(engine.stats().samples).toBe(before + 4);
    await expect
      .poll(() => engine.stats().degradation, { timeout: inTimeMs })
      .toMatchObject([{ code: 'batch_reduced', cause: 'pinned' }]);
    expect(await degraded()).toBe(0);
    engine.setLadder(quick());
    await expectRecovered(library);
  });
});

describe('a scan under memory pressure', () => {
  it('makes its batches smaller, says so, and lets them grow again', async () => {
    const library = await openWith({ ...defaultSettings.ladder, memoryCalmMs: 1000, memoryEveryMs: 100 });
    await writePhotos(library.photos, 60);
    withFaults(
      { host: 'core', what: 'memory_pressure', first: 3, percent: 85 },
      { host: 'core', what: 'memory_pressure', match: 'memory', percent: 20 },
      { host: 'inference', what: 'slow', match: 'scan', ms: 30 },
    );
    const engine = await library.judging.engine();
    const summary = await library.scan();
    await expectWhole(library, summary, 60);
    await expectRecovered(library);
    const [rung] = engine.stats().pastDegradation;
    expect(rung).toMatchObject({ code: 'batch_reduced', cause: 'memory' });
    expect(rung!.until - rung!.since).toBeGreaterThanOrEqual(1000);
  });
});
