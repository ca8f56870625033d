/**
 * The scan, under Node and in the app, against the bare loop, on the same photos, in turn; the bare loop with its best
 * batch and thread count. Then what each build of sharp does by itself.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Decoder } from '../../main/images/host/sharp.ts';
import type { Judging } from '../../main/judging/judging.ts';
import { runScan } from '../../main/library/run-scan.ts';
import { alternate, type Bench, median } from './bench.ts';
import { makePhotos } from './photos.ts';
import { withApp } from './pipeline-electron.ts';
import { withCore, withJudging } from './vouch.ts';

const run = promisify(execFile);
const rounds = 5;
const photosPerRound = 128;
const photosPerSweep = 48;

type Choice = Readonly<{ batch: number; threads: number }>;
const choices: readonly Choice[] = [1, 2].flatMap((threads) => [1, 2, 4, 8].map((batch) => ({ batch, threads })));

const bareLoop = async (
  packDir: string,
  photos: readonly string[],
  choice: Choice,
  viewsOnly?: Decoder,
): Promise<number> => {
  const setup = JSON.stringify({ packDir, photos, ...choice, suffix: '', viewsOnly });
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'bare-loop.ts'), setup]);
  return JSON.parse(stdout).perSecond;
};

/** Shares of the sessions' time in a scan: in the model, between two batches though one waited, and without a photo. */
type SessionTime = Readonly<{ model: number; handover: number; waiting: number }>;
type Scan = Readonly<{ perSecond: number; meanBatch: number; sessions: SessionTime }>;

/** Judges one folder in a fresh home with the engine already warm; photos per second. */
const scanOnce = (dir: string): Promise<Scan> =>
  withCore((core) =>
    withJudging(core, async (judging: Judging) => {
      const engine = await judging.engine();
      const store = await core.openStore('write');
      const statements = await store.statements.addTo(
        'bench',
        [{ text: 'a dog' }, { text: 'a vehicle' }],
        'concept-en',
      );
      const { signal } = new AbortController();
      const recheck = { kind: 'none' } as const;
      const request = { roots: [dir], statements, recheck, retryQuarantined: false, signal };
      const summary = await runScan(core, store, judging, request);
      const { busyMs, gapMs, meanBatch } = engine.stats();
      await store.close();
      const all = 1000 * summary.seconds * engine.info().lanes;
      const [model, handover] = [busyMs / all, gapMs / all];
      const sessions = { model, handover, waiting: 1 - model - handover };
      return { perSecond: summary.photos.judged / summary.seconds, meanBatch, sessions };
    }),
  );

/** What each step takes on a photo that has the machine to itself, mean ms. */
const stepsAlone = (photos: readonly string[]): Promise<Readonly<Record<string, number>>> =>
  withCore((core) =>
    withJudging(core, async (judging) => {
      const engine = await judging.engine();
      const sums: Record<string, number> = {};
      for (const path of photos) {
        const result = await engine.encode(path);
        if (!result.ok) throw new Error('a photo could not be judged');
        const steps = { ...result.info.timingMs, wait: result.timing.queueMs, model: result.timing.runMs };
        for (const [step, ms] of Object.entries(steps)) sums[step] = (sums[step] ?? 0) + ms / photos.length;
      }
      return sums;
    }),
  );

/** Photos per second of both builds of sharp, from file to views, eight photos under way at a time. */
const decoderRates = async (packDir: string, say: (line: string) => void) => {
  const sizes = { px500: [96, 500, 375], mp12: [24, 4000, 3000] } as const;
  const rates = { native: { px500: 0, mp12: 0 }, wasm: { px500: 0, mp12: 0 } };
  for (const size of ['px500', 'mp12'] as const) {
    const [count, width, height] = sizes[size];
    const photos = await makePhotos(count, width, height);
    try {
      const once = (decoder: Decoder) => () => bareLoop(packDir, photos.paths, { batch: 8, threads: 1 }, decoder);
      const results = await alternate(3, once('native'), once('wasm'));
      rates.native[size] = median(results.map(({ a }) => a));
      rates.wasm[size] = median(results.map(({ b }) => b));
      say(`${size}: native ${rates.native[size].toFixed(1)}, wasm ${rates.wasm[size].toFixed(1)} photos/s decoded`);
    } finally {
      photos.remove();
    }
  }
  return rates;
};

export const pipeline: Bench = async (say) => {
  const photos = await makePhotos(photosPerRound, 500, 375);
  try {
    const packDir = await withCore(
      async (core) => core.packs().find(({ manifest }) => manifest.id === 'concept-en')!.dir,
    );
    const sweep: (Choice & Readonly<{ perSecond: number }>)[] = [];
    for (const choice of choices) {
      const perSecond = await bareLoop(packDir, photos.paths.slice(0, photosPerSweep), choice);
      sweep.push({ ...choice, perSecond });
      say(`bare loop, batch ${choice.batch}, ${choice.threads} threads: ${perSecond.toFixed(1)} photos/s`);
    }
    const best = sweep.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
    const results = await alternate(
      rounds,
      () => scanOnce(photos.dir),
      () => bareLoop(packDir, photos.paths, best),
    );
    for (const { a, b } of results) {
      say(`scan ${a.perSecond.toFixed(1)}, bare loop ${b.toFixed(1)} photos/s, ratio ${(a.perSecond / b).toFixed(3)}`);
    }
    const app = await withApp(say, async (scan, note) => {
      const inApp = scan
        ? await alternate(
            rounds,
            () => scan(photos.dir),
            () => bareLoop(packDir, photos.paths, best),
          )
        : [];
      for (const { a, b } of inApp) {
        say(`app ${a.toFixed(1)}, bare loop ${b.toFixed(1)} photos/s, ratio ${(a / b).toFixed(3)}`);
      }
      return { rounds: inApp, note };
    });
    return {
      ratios: {
        node: median(results.map(({ a, b }) => a.perSecond / b)),
        electron: app.note === null ? median(app.rounds.map(({ a, b }) => a / b)) : null,
      },
      perSecond: { scan: median(results.map(({ a }) => a.perSecond)), bareLoop: median(results.map(({ b }) => b)) },
      best: { batch: best.batch, threads: best.threads },
      sweep,
      rounds: results,
      profile: {
        sessions: {
          model: median(results.map(({ a }) => a.sessions.model)),
          handover: median(results.map(({ a }) => a.sessions.handover)),
          waiting: median(results.map(({ a }) => a.sessions.waiting)),
        },
        stepsAloneMs: await stepsAlone(photos.paths.slice(0, photosPerSweep)),
      },
      app,
      decoders: await decoderRates(packDir, say),
    };
  } finally {
    photos.remove();
  }
};
