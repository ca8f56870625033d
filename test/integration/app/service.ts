/** The application on the built hosts, without a window, on a home of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type AppService, type AppServiceOptions, openAppService } from '../../../main/app/app-service.ts';
import { keepSettings } from '../../../main/app/settings-keeper.ts';
import { type Home, locateHome, makeHome } from '../../../main/home.ts';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';

export const root = resolve(import.meta.dirname, '..', '..', '..');

/** A new folder with a home in it; `remove` takes both away. */
export const newHome = (): Readonly<{ dir: string; home: Home; remove: () => void }> => {
  const dir = mkdtempSync(join(tmpdir(), 'vouch-service-'));
  const home = locateHome(join(dir, 'home'));
  makeHome(home);
  return { dir, home, remove: () => rmSync(dir, { recursive: true, force: true }) };
};

export const openService = (
  home: Home,
  options: Partial<Pick<AppServiceOptions, 'settings' | 'tell' | 'idleMs'>> = {},
): Promise<AppService> =>
  openAppService({
    ...{ home, root, decoder: 'native', backup: null },
    ...{ settings: keepSettings(home.settings), tell: () => undefined },
    entries: join(root, 'dist', 'main'),
    spawn: spawnNode(),
    spawnImage: spawnNode(),
    ...options,
  });
