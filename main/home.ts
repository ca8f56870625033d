/** Where Vouch keeps what is its own. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { vouchError } from './contract/errors.ts';
import { systemDetail, VouchFailure } from './failure.ts';

export type Home = Readonly<{
  root: string;
  database: string;
  logs: string;
  previews: string;
  packs: string;
  backups: string;
  /** Optimised graphs: a cache. */
  graphs: string;
  /** Figures measured on this machine. */
  bench: string;
  settings: string;
  /** The log, newest part; older ones lie beside it. */
  log: string;
  /** Of the local server. */
  token: string;
}>;

export const logName = 'vouch.jsonl';

/** `--home`, else VOUCH_HOME, else the system's place for an application's data. */
export const locateHome = (given: string | undefined): Home => {
  const root = resolve(given ?? process.env.VOUCH_HOME ?? envPaths('vouch', { suffix: '' }).data);
  return {
    root,
    database: join(root, 'vouch.db'),
    logs: join(root, 'logs'),
    previews: join(root, 'previews'),
    packs: join(root, 'packs'),
    backups: join(root, 'backups'),
    graphs: join(root, 'graphs'),
    bench: join(root, 'bench'),
    settings: join(root, 'settings.json'),
    log: join(root, 'logs', logName),
    token: join(root, 'server-token'),
  };
};

/** Throws `not_writable` where there can be none. */
export const makeHome = (home: Home): void => {
  try {
    for (const folder of [home.root, home.logs, home.previews, home.packs, home.backups, home.graphs, home.bench]) {
      mkdirSync(folder, { recursive: true });
    }
  } catch (cause) {
    throw new VouchFailure(vouchError('not_writable', { path: home.root, detail: systemDetail(cause) }));
  }
};
