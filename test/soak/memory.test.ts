import { setTimeout as pause } from 'node:timers/promises';
import pMap from 'p-map';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePhotos, type PhotoFolder } from '../../build/bench/photos.ts';
import { withCore, withJudging } from '../../build/bench/vouch.ts';
import type { Engine } from '../../main/inference/core/engine-types.ts';

/** A fifth of them is past the warm-up: both hosts grow for some 300 photos, then stay level (seen up to 2,400). */
const count = 1600;
const allowedGrowth = 0.15;
let photos: PhotoFolder;
beforeAll(async () => {
  photos = await makePhotos(count, 300, 225);
}, 120_000);
afterAll(() => photos.remove());

const judge = async (engine: Engine, paths: readonly string[]) => {
  const results = await pMap(paths, (path) => engine.encode(path), { concurrency: 8 });
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
};

it('needs no more memory for the last photos than for the first', async () => {
  await withCore((core) =>
    withJudging(core, async (judging) => {
      const engine = await judging.engine();
      const hosts = async () => {
        // Where the system tells no figure, it comes with the heartbeat: wait for the next one.
        await pause(2500);
        return engine.stats().hosts;
      };
      await judge(engine, photos.paths.slice(0, count / 5));
      const early = await hosts();
      await judge(engine, photos.paths.slice(count / 5));
      const late = await hosts();

      const mib = (bytes: number | null) => Math.round((bytes ?? Number.NaN) / 2 ** 20);
      for (const [i, { kind, pid, rssBytes, restarts }] of late.entries()) {
        const before = early[i];
        console.log(`${kind} host: ${mib(before?.rssBytes ?? null)} MiB, then ${mib(rssBytes)} MiB`);
        // A host that was started anew would hide what it lost.
        expect(restarts).toBe(0);
        expect(pid).toBe(before?.pid);
        expect(rssBytes).toBeGreaterThan(0);
        expect(rssBytes).toBeLessThan(before!.rssBytes! * (1 + allowedGrowth));
      }
      expect(late.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['image', 'inference']));
    }),
  );
});
