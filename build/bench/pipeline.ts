/**
 * The scan, under Node and in the app, against the bare loop, on the same photos, in turn; the bare loop with its best
 * batch and thread count. Then what each build of sharp does by itself.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Judging } from '../../main/core.ts';
import type { Decoder } from '../../main/images/sharp.ts';
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

/** Judges one folder in a fresh home with the engine already warm; photos per second. */
const scanOnce = (dir: string): Promise<Readonly<{ perSecond: number; gapMs: number; meanBatch: number }>> =>
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
      const { gapMs, meanBatch } = engine.stats();
      await store.close();
      return { perSecond: summary.photos.judged / summary.seconds, gapMs, meanBatch };
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
      app,
      decoders: await decoderRates(packDir, say),
    };
  } finally {
    photos.remove();
  }
};
