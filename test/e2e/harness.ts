/** One launcher for a test file; every test gets a home of its own, which is removed afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Launched, type Launcher, openLauncher } from '../../build/scripts/electron-launch.ts';
import type { VouchApi } from '../../main/contract/api.ts';

declare global {
  interface Window {
    readonly vouch: VouchApi;
  }
}

export type Desk = Readonly<{
  /** Opens the app on a home, which is new unless one is given. */
  open: (
    options?: Readonly<{ home?: string; env?: Readonly<Record<string, string>> }>,
  ) => Promise<Launched & { home: string }>;
  /** An empty folder. */
  folder: () => string;
}>;

/** Call at the top of a test file; launching works inside its tests. */
export const setUpDesk = (): Desk => {
  let launcher: Launcher | undefined;
  const opened: Launched[] = [];
  const folders: string[] = [];
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'vouch-e2e-'));
    folders.push(made);
    return made;
  };
  // The first time on a machine this fetches Electron and builds the database library for it.
  beforeAll(async () => {
    launcher = await openLauncher((line) => console.log(line));
  }, 600_000);
  afterAll(async () => {
    for (const app of opened) await app.quit();
    launcher?.display.close();
    for (const made of folders) rmSync(made, { recursive: true, force: true, maxRetries: 3 });
  });
  return {
    folder,
    open: async ({ home = folder(), env } = {}) => {
      const launched = await launcher!.launch(home, env);
      opened.push(launched);
      return { ...launched, home };
    },
  };
};

/** Asks until the answer fits; the limit only bounds a test that is going to fail. */
export const until = async <T>(ask: () => Promise<T>, fits: (value: T) => boolean, limitMs = 90_000): Promise<T> => {
  const limit = performance.now() + limitMs;
  for (;;) {
    const value = await ask();
    if (fits(value)) return value;
    if (performance.now() > limit) throw new Error(`still ${JSON.stringify(value)?.slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
