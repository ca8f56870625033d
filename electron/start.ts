/** Opens the core, and offers a way on where its database cannot be opened. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Handlers } from '../main/contract/api.ts';
import type { StartState } from '../main/contract/views.ts';
import { errorOf, failWith } from '../main/failure.ts';
import type { Home } from '../main/home.ts';
import { listBackups } from '../main/store/backup-files.ts';
import type { OpenedCore } from './core.ts';

export type Start = Readonly<{
  /** The core that is open, or opening. */
  core: () => Promise<OpenedCore>;
  /** Called once it is open, even when that takes a restored backup. */
  whenOpen: (act: (core: OpenedCore) => void) => void;
  handlers: Handlers['start'];
}>;

type StartPorts = Readonly<{
  home: Home;
  /** Opens the core, with this backup in the database's place when one is given. */
  open: (backup: string | null) => Promise<OpenedCore>;
}>;

const damagedName = /^vouch\.db\.damaged-[\dTZ-]+$/;

/** What was set aside at an earlier start must not make this one look like the first. */
const refuseLost = (home: Home): void => {
  if (existsSync(home.database)) return;
  const [backup] = listBackups(home.root);
  const damaged = readdirSync(home.root).filter((name) => damagedName.test(name));
  const last = damaged.sort().at(-1);
  if (!backup && !last) return;
  failWith('store_corrupt', {
    path: home.root,
    detail: last ? 'it was set aside at an earlier start' : 'it is not there any more',
    setAside: last ? join(home.root, last) : null,
    backup: backup?.file ?? null,
  });
};

export const keepStart = ({ home, open }: StartPorts): Start => {
  const waiting: ((core: OpenedCore) => void)[] = [];
  let opened: OpenedCore | undefined;

  const begin = (opening: Promise<OpenedCore>): Promise<OpenedCore> => {
    opening.then(
      (core) => {
        opened = core;
        for (const act of waiting.splice(0)) act(core);
      },
      () => undefined,
    );
    return opening;
  };
  const asEver = async () => {
    refuseLost(home);
    return open(null);
  };
  let core = begin(asEver());

  const state = (): Promise<StartState> =>
    core.then(
      () => ({ open: true }),
      (cause) => {
        const error = errorOf(cause);
        const [backup] = error.code === 'store_corrupt' ? listBackups(home.root) : [];
        return {
          open: false,
          error,
          backup: backup ? { madeAt: backup.madeAt, bytes: backup.bytes } : null,
        };
      },
    );

  return {
    core: () => core,
    whenOpen: (act) => {
      if (opened) act(opened);
      else waiting.push(act);
    },
    handlers: {
      state,
      open: async ({ from }) => {
        if ((await state()).open) return { open: true };
        if (from === 'again') core = begin(asEver());
        else core = begin(open(from === 'backup' ? (listBackups(home.root)[0]?.file ?? null) : null));
        return state();
      },
    },
  };
};
