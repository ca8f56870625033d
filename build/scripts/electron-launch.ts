/** Opens the built app in a real Electron and takes hold of it, for tests and screenshots. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { type Display, openDisplay } from './electron-display.ts';
import { prepareRuntime, type Runtime } from './electron-runtime.ts';

export const projectRoot: string = resolve(import.meta.dirname, '..', '..');

/** Many times what a slow, busy machine takes. */
const launchLimitMs = 180_000;

export type Launched = Readonly<{
  app: ElectronApplication;
  page: Page;
  /** What the app and its hosts wrote to stderr so far. */
  stderr: () => string;
  running: () => boolean;
  /** As a person would quit; the process has ended when it resolves. */
  quit: () => Promise<void>;
}>;

export type Launcher = Readonly<{
  runtime: Runtime;
  display: Display;
  launch: (home: string, env?: Readonly<Record<string, string>>) => Promise<Launched>;
}>;

/** Prepares runtime and display once; throws a `NeedsError` naming what this machine lacks. */
export const openLauncher = async (say: (line: string) => void): Promise<Launcher> => {
  for (const built of ['dist/main/electron.js', 'dist/preload/preload.cjs', 'dist/renderer/index.html']) {
    if (!existsSync(resolve(projectRoot, built))) throw new Error(`${built} is missing; run "npm run build" first`);
  }
  const runtime = await prepareRuntime(say);
  const display = await openDisplay();
  return {
    runtime,
    display,
    launch: async (home, env = {}) => {
      const app = await _electron.launch({
        executablePath: runtime.executable,
        args: [...runtime.args, projectRoot],
        env: { ...definedEnv(), ...display.env, VOUCH_HOME: home, ...env },
        timeout: launchLimitMs,
      });
      const child = app.process();
      let stderr = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      const page = await app.firstWindow({ timeout: launchLimitMs });
      await page.waitForLoadState('load', { timeout: launchLimitMs });
      const running = () => child.exitCode === null && child.signalCode === null;
      const ended = new Promise<void>((done) => child.once('exit', () => done()));
      return {
        app,
        page,
        stderr: () => stderr,
        running,
        quit: async () => {
          if (running()) await app.close();
          await ended;
        },
      };
    },
  };
};

const definedEnv = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
