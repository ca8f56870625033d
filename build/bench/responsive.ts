/** While the app judges 471 photos and its grid is scrolled: the main process's event loop and the window's frames. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Launched, openLauncher } from '../scripts/electron-launch.ts';
import type { Bench } from './bench.ts';
import { makePhotos } from './photos.ts';
import { restingRun } from './pipeline-electron.ts';

const photoCount = 471;
const slowMs = 100;
/** Rows to scroll must be there first. */
const cellsFirst = 12;

type Watched = { vouchDelay?: ReturnType<typeof monitorEventLoopDelay> };

const watchEventLoop = ({ app }: Launched) =>
  app.evaluate(() => {
    const { monitorEventLoopDelay: monitor } = process.getBuiltinModule('node:perf_hooks');
    const histogram = monitor({ resolution: 1 });
    histogram.enable();
    (globalThis as Watched).vouchDelay = histogram;
  });

const eventLoopDelay = ({ app }: Launched) =>
  app.evaluate(() => {
    const histogram = (globalThis as Watched).vouchDelay!;
    return { p99: histogram.percentile(99) / 1e6, max: histogram.max / 1e6 };
  });

const startScan = ({ page }: Launched, dir: string) =>
  page.evaluate(async (path) => {
    const added = await window.vouch.library.add({ paths: [path] });
    if (!added.ok) throw new Error(added.error.code);
    await window.vouch.library.scan({ folderIds: added.value.map(({ id }) => id) });
  }, dir);

/** Scrolls up and down by 60 pixels a frame while the run goes on; the time from each frame to the next, ms. */
const scrollThroughRun = ({ page }: Launched) =>
  page.evaluate(async () => {
    const gaps: number[] = [];
    let over = false;
    const stop = window.vouch.on('progress', (run) => {
      over = run.endedAt !== null;
    });
    let last = performance.now();
    let step = 60;
    while (!over) {
      const now: number = await new Promise(requestAnimationFrame);
      gaps.push(now - last);
      last = now;
      const grid = document.querySelector<HTMLElement>('[data-grid]');
      if (!grid) continue;
      if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) step = -60;
      if (grid.scrollTop === 0) step = 60;
      grid.scrollTop += step;
    }
    stop();
    return gaps.slice(1);
  });

export const responsive: Bench = async (say) => {
  const photos = await makePhotos(photoCount, 500, 375);
  const home = mkdtempSync(join(tmpdir(), 'vouch-bench-home-'));
  const launcher = await openLauncher(say);
  const launched = await launcher.launch(home);
  try {
    await restingRun(launched);
    await watchEventLoop(launched);
    await startScan(launched, photos.dir);
    await launched.page.waitForFunction(
      (count) => document.querySelectorAll('[role=option]').length > count,
      cellsFirst,
    );
    const frames = (await scrollThroughRun(launched)).toSorted((a, b) => b - a);
    const { p99, max } = await eventLoopDelay(launched);
    return {
      ms: {
        eventLoopP99: p99,
        eventLoopMax: max,
        slowestFrame: frames[0] ?? Number.NaN,
        frameP99: frames[Math.floor(frames.length / 100)] ?? Number.NaN,
      },
      photos: photoCount,
      frames: frames.length,
      slowFrames: frames.filter((gap) => gap > slowMs).length,
      slowest: frames.slice(0, 10),
    };
  } finally {
    await launched.quit();
    launcher.display.close();
    photos.remove();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
};
