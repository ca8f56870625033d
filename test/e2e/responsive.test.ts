/** While photos are judged, the main process keeps turning and the window keeps drawing. */
import type { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { setUpDesk } from './harness.ts';
import { writePhotos } from './photos.ts';

const desk = setUpDesk();
type Watched = { vouchDelay?: ReturnType<typeof monitorEventLoopDelay> };

it('scrolls without a long frame and never blocks the main process during a scan', async () => {
  const app = await desk.open();
  const done = () =>
    app.page.evaluate(async () => {
      const run = await window.vouch.runs.current();
      return run.ok && run.value !== null && !['running', 'paused'].includes(run.value.status);
    });
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 100));

  const folder = desk.folder();
  await writePhotos(folder, 90);
  await app.app.evaluate(() => {
    const perf = process.getBuiltinModule('node:perf_hooks');
    const histogram = perf.monitorEventLoopDelay({ resolution: 1 });
    histogram.enable();
    (globalThis as Watched).vouchDelay = histogram;
  });
  await app.page.evaluate(async (path) => {
    const added = await window.vouch.library.add({ paths: [path] });
    if (!added.ok) throw new Error(JSON.stringify(added.error));
    await window.vouch.library.scan({ folderIds: added.value.map(({ id }) => id) });
  }, folder);
  // Long enough that the grid has rows to scroll.
  await app.page.waitForFunction(() => document.querySelectorAll('[role=option]').length > 12);

  const frames: number[] = [];
  while (!(await done())) {
    const measured = await app.page.evaluate(async () => {
      const grid = document.querySelector<HTMLElement>('[role=listbox]');
      const gaps: number[] = [];
      let last = performance.now();
      const until = last + 1000;
      let step = 60;
      while (last < until) {
        const now: number = await new Promise(requestAnimationFrame);
        gaps.push(now - last);
        last = now;
        if (grid) {
          if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) step = -60;
          if (grid.scrollTop === 0) step = 60;
          grid.scrollTop += step;
        }
      }
      return gaps.slice(1);
    });
    frames.push(...measured);
  }
  const { p99, max } = await app.app.evaluate(() => {
    const histogram = (globalThis as Watched).vouchDelay!;
    return { p99: histogram.percentile(99) / 1e6, max: histogram.max / 1e6 };
  });
  const slowest = frames.toSorted((a, b) => b - a);
  const frameP99 = slowest[Math.floor(slowest.length / 100)] ?? 0;
  const worst = slowest.slice(0, 5).map(Math.round).join(', ');
  console.log(
    `event loop p99 ${p99.toFixed(1)} ms, max ${max.toFixed(0)} ms; ${frames.length} frames, p99 ${frameP99.toFixed(0)} ms, slowest ${worst} ms`,
  );
  expect(frames.length).toBeGreaterThan(30);
  expect(p99).toBeLessThan(50);
  expect(frameP99).toBeLessThan(100);
  await app.quit();
});
