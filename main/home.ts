/** Where Vouch keeps what is its own. */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import envPaths from 'env-paths';

export type Home = Readonly<{
  root: string;
  logs: string;
  previews: string;
  packs: string;
  backups: string;
  settings: string;
  /** Local sockets; outside the home, since their paths must be short. */
  runtime: string;
}>;

/** `--home`, else VOUCH_HOME, else the system's place for an application's data. */
export const locateHome = (given: string | undefined): Home => {
  const root = resolve(given ?? process.env.VOUCH_HOME ?? envPaths('vouch', { suffix: '' }).data);
  const name = `vouch-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
  return {
    root,
    logs: join(root, 'logs'),
    previews: join(root, 'previews'),
    packs: join(root, 'packs'),
    backups: join(root, 'backups'),
    settings: join(root, 'settings.json'),
    runtime: join(runtimeRoot(), name),
  };
};

/** XDG_RUNTIME_DIR may name a folder that nobody made (in containers, often). */
const runtimeRoot = (): string => {
  const xdg = process.env.XDG_RUNTIME_DIR;
  return xdg && existsSync(xdg) ? xdg : tmpdir();
};

export const makeHome = (home: Home): void => {
  for (const folder of [home.root, home.logs, home.previews, home.packs, home.backups]) {
    mkdirSync(folder, { recursive: true });
  }
  mkdirSync(home.runtime, { recursive: true, mode: 0o700 });
  chmodSync(home.runtime, 0o700);
};
