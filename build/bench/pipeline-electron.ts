/** The scan inside the app, as a person would have it: window open, engine warm from the samples, driven by the page. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Launched, type Launcher, openLauncher } from '../scripts/electron-launch.ts';
import { NeedsError } from '../scripts/electron-needs.ts';
import { judgingOptions } from './vouch.ts';

const workLimitMs = 180_000;

/** The model work of the bare loop: the same device and weights, and no prescreen. */
const settings = {
  engine: { device: judgingOptions.device, precision: judgingOptions.precision },
  prescreen: { enabled: false },
};

/** The window's present run, once it has ended and the engine is ready. */
export const restingRun = async ({ page }: Launched) => {
  for (const limit = performance.now() + workLimitMs; performance.now() < limit; ) {
    const run = await page.evaluate(async () => {
      const [current, engine] = await Promise.all([window.vouch.runs.current(), window.vouch.engine.state()]);
      const resting = current.ok && engine.ok && engine.value.status === 'ready' && current.value?.endedAt;
      return resting ? current.value : null;
    });
    if (run) return run;
    await page.waitForTimeout(500);
  }
  throw new Error(`the app did not come to rest in ${workLimitMs / 1000} s`);
};

export type AppScan = (dir: string) => Promise<number>;

/** Judges one folder in the app in a fresh home; photos per second of its run. */
const scanInApp = async (launcher: Launcher, dir: string): Promise<number> => {
  const home = mkdtempSync(join(tmpdir(), 'vouch-bench-home-'));
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
  const launched = await launcher.launch(home);
  try {
    await restingRun(launched);
    const id = await launched.page.evaluate(async (path) => {
      const added = await window.vouch.library.add({ paths: [path] });
      if (!added.ok) throw new Error(added.error.code);
      const run = await window.vouch.library.scan({ folderIds: added.value.map((folder) => folder.id) });
      if (!run.ok) throw new Error(run.error.code);
      return run.value.id;
    }, dir);
    const run = await restingRun(launched);
    if (run.id !== id || run.status !== 'done') throw new Error(`the app's scan ended as ${run.status}`);
    return run.photos.judged / ((run.endedAt! - run.startedAt) / 1000);
  } finally {
    await launched.quit();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
};

/** Hands `use` the scan in the app, or null where this machine cannot open a window, having said what it lacks. */
export const withApp = async <T>(
  say: (line: string) => void,
  use: (scan: AppScan | null, note: string | null) => Promise<T>,
): Promise<T> => {
  let launcher: Launcher;
  try {
    launcher = await openLauncher(say);
  } catch (error) {
    if (!(error instanceof NeedsError)) throw error;
    say(error.message);
    return use(null, error.message);
  }
  try {
    return await use((dir) => scanInApp(launcher, dir), null);
  } finally {
    launcher.display.close();
  }
};
