/** One launcher for a test file; every test gets a home of its own, which is removed afterwards. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Launched, type Launcher, openLauncher, projectRoot } from '../../build/scripts/electron-launch.ts';
import type { VouchApi } from '../../main/contract/api.ts';
import type { EngineState, Run } from '../../main/contract/views.ts';

declare global {
  interface Window {
    readonly vouch: VouchApi;
  }
}

export type Opened = Launched & Readonly<{ home: string }>;
export type Apps = Readonly<{
  /** Opens the app on a home, which is new unless one is given. */
  open: (options?: Readonly<{ home?: string; env?: Readonly<Record<string, string>> }>) => Promise<Opened>;
  /** An empty folder. */
  folder: () => string;
  /** The folder that Electron itself is in. */
  electron: () => string;
}>;

/** Only bounds a test that is going to fail, however slow and busy the machine: nothing else may depend on it. */
export const patienceMs = 120_000;

/** On a busy machine photos may be late: none is given up for that, and other programs do not go before the judging. */
const unhurried = { engine: { priority: 'normal' }, ladder: { bulkMs: 600_000, interactiveCpuMs: 600_000 } };

/** Call at the top of a test file; launching works inside its tests. */
export const setUpApps = (): Apps => {
  let launcher: Launcher | undefined;
  const opened: Opened[] = [];
  const folders: string[] = [];
  const folder = () => {
    const made = realpathSync(mkdtempSync(join(tmpdir(), 'vouch-e2e-')));
    folders.push(made);
    return made;
  };
  // The first time on a machine this fetches Electron and builds the database library for it.
  beforeAll(async () => {
    launcher = await openLauncher((line) => console.log(line));
  }, 600_000);
  let openedBefore = 0;
  beforeEach(() => {
    openedBefore = opened.length;
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const own = opened.slice(openedBefore);
    for (const app of opened) if (own.includes(app) || app.running()) await report(app, task.name);
    // What a failed test left open must not slow down the next.
    for (const app of own) await app.quit();
  });
  afterAll(async () => {
    for (const app of opened) await app.quit();
    launcher?.display.close();
    for (const made of folders) rmSync(made, { recursive: true, force: true, maxRetries: 3 });
  });
  const newHome = () => {
    const home = folder();
    writeFileSync(join(home, 'settings.json'), JSON.stringify(unhurried));
    return home;
  };
  return {
    folder,
    electron: () => dirname(launcher!.runtime.executable),
    open: async ({ home = newHome(), env } = {}) => {
      const app = { ...(await launcher!.launch(home, env)), home };
      opened.push(app);
      app.page.setDefaultTimeout(patienceMs);
      return app;
    },
  };
};

const tail = (text: string): string => text.slice(-6000);

/** The end of every file of a folder. */
const endsOf = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).map((file) => tail(readFileSync(join(folder, file), 'utf8'))) : [];

/** What a window shows, and what the core says of itself. */
const look = async (page: Page, picture: string): Promise<string> => {
  const asked = page.evaluate(async () => ({
    focused: document.activeElement?.outerHTML.slice(0, 300),
    run: await window.vouch.runs.current(),
    engine: await window.vouch.engine.state(),
  }));
  const never = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no answer')), 20_000));
  try {
    const facts = await Promise.race([asked, never]);
    await page.screenshot({ path: picture, timeout: 20_000 });
    return `${await page.locator('body').ariaSnapshot({ timeout: 20_000 })}\n${JSON.stringify(facts)}`;
  } catch (error) {
    return String(error);
  }
};

/** What a failure can be understood by, from the printed log alone; a picture is kept beside it. */
const report = async ({ app, home, stderr }: Opened, name: string): Promise<void> => {
  const kept = join(projectRoot, '.cache', 'e2e');
  mkdirSync(kept, { recursive: true });
  const picture = join(kept, `${name.replace(/\W+/g, '-').slice(0, 80)}.png`);
  const [page] = app.windows();
  const screen = page ? await look(page, picture) : 'no window';
  const parts = [`on the screen (${picture})`, screen, 'stderr', tail(stderr()), 'log', ...endsOf(join(home, 'logs'))];
  console.log(`===== when "${name}" failed =====\n${parts.join('\n---\n')}\n=====`);
};

/** Asks until the answer fits; gives up once it has been the same for very long. */
export const until = async <T>(ask: () => Promise<T>, fits: (value: T) => boolean): Promise<T> => {
  let last: string | undefined;
  let changedAt = performance.now();
  for (;;) {
    const value = await ask();
    if (fits(value)) return value;
    const now = JSON.stringify(value) ?? '';
    if (now !== last) changedAt = performance.now();
    last = now;
    if (performance.now() - changedAt > patienceMs) throw new Error(`still ${now.slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const restMs = 3000;

/** Asks until the answer has not changed for a while. */
export const untilAtRest = async (ask: () => Promise<number>): Promise<number> => {
  let last = await ask();
  let changedAt = performance.now();
  await until(ask, (now) => {
    if (now !== last) changedAt = performance.now();
    last = now;
    return performance.now() - changedAt > restMs;
  });
  return last;
};

/** Asks until the answer is this one. */
export const untilIs = <T>(ask: () => Promise<T>, wanted: T): Promise<T> => until(ask, (value) => value === wanted);

export const runNow = (page: Page): Promise<Run | null> =>
  page.evaluate(async () => {
    const run = await window.vouch.runs.current();
    if (!run.ok) throw new Error(JSON.stringify(run.error));
    return run.value;
  });

/** A cancelled run says so at once, but ends when its photos under way have let go; a scan asked for meanwhile waits. */
export const ended = async (page: Page): Promise<Run> =>
  (await until(
    () => runNow(page),
    (run) => run !== null && run.endedAt !== null,
  ))!;

export const engineNow = (page: Page): Promise<EngineState> =>
  page.evaluate(async () => {
    const state = await window.vouch.engine.state();
    if (!state.ok) throw new Error(JSON.stringify(state.error));
    return state.value;
  });

/** Adds a folder and begins to judge it. */
export const scanFolder = (page: Page, folder: string): Promise<void> =>
  page.evaluate(async (path) => {
    const added = await window.vouch.library.add({ paths: [path] });
    if (!added.ok) throw new Error(JSON.stringify(added.error));
    const run = await window.vouch.library.scan({ folderIds: added.value.map(({ id }) => id) });
    if (!run.ok) throw new Error(JSON.stringify(run.error));
  }, folder);
