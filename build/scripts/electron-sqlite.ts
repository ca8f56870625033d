/**
 * better-sqlite3 for the registry-carried runtime: its prebuilt file wants Node-API 10, Electron 33 has 9. One forced
 * include makes the same source build at 9; Node 24 loads the result too. The compiler is called directly, so nothing
 * but g++ is needed: no node-gyp, no make, no Python, no headers of the system.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { needPrograms } from './electron-needs.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const library = dirname(require.resolve('better-sqlite3/package.json'));
/** better-sqlite3 prefers a file at this place over its prebuilt ones. */
const target = join(library, 'build', 'Release', 'better_sqlite3.node');

export const hasSqlite = (): boolean => existsSync(target);

/** The package's own compile-time options of SQLite. */
const sqliteDefines = (): string[] => {
  const text = readFileSync(join(library, 'deps', 'defines.gypi'), 'utf8');
  return [...text.matchAll(/'([A-Z0-9_]+(?:=[^']*)?)'/g)].map((match) => `-D${match[1]}`);
};

const compile = async (work: string): Promise<string> => {
  const sqlite = join(library, 'deps', 'sqlite3');
  const common = ['-O2', '-fPIC', '-DNDEBUG', '-w'];
  const cObject = join(work, 'sqlite3.o');
  const addonObject = join(work, 'addon.o');
  const forced = resolve(import.meta.dirname, '..', 'native', 'napi9.hpp');
  const headers = join(dirname(require.resolve('node-api-headers/package.json')), 'include');
  const includes = [sqlite, headers, dirname(require.resolve('node-addon-api/napi.h', { paths: [library] }))];
  const defines = ['NAPI_VERSION=9', 'NAPI_DISABLE_CPP_EXCEPTIONS', 'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS'];
  const steps: [string, string[]][] = [
    ['gcc', [...common, '-std=c99', ...sqliteDefines(), '-c', join(sqlite, 'sqlite3.c'), '-o', cObject]],
    [
      'g++',
      [
        ...[...common, '-std=c++20', '-fvisibility=hidden', '-include', forced],
        ...[...defines.map((name) => `-D${name}`), ...includes.map((folder) => `-I${folder}`)],
        ...['-c', join(library, 'src', 'better_sqlite3.cpp'), '-o', addonObject],
      ],
    ],
  ];
  const built = join(work, 'better_sqlite3.node');
  if (availableParallelism() > 1) await Promise.all(steps.map(([program, args]) => run(program, args)));
  else for (const [program, args] of steps) await run(program, args);
  const link = ['-shared', '-s', '-Wl,-Bsymbolic', '-Wl,--exclude-libs,ALL', addonObject, cObject, '-ldl', '-lm'];
  await run('g++', [...link, '-o', built]);
  return built;
};

/** Builds the library into node_modules unless it is there; `cache` keeps the result over `npm ci`. */
export const buildSqlite = async (cache: string): Promise<'present' | 'restored' | 'built'> => {
  if (hasSqlite()) return 'present';
  const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as { version: string };
  const kept = join(cache, `better-sqlite3-${version}-napi9.node`);
  const built = existsSync(kept);
  if (!built) {
    needPrograms('Building better-sqlite3 for this runtime', { 'g++': 'g++', gcc: 'gcc' });
    const work = mkdtempSync(join(tmpdir(), 'vouch-sqlite-'));
    try {
      mkdirSync(cache, { recursive: true });
      copyFileSync(await compile(work), `${kept}.new`);
      renameSync(`${kept}.new`, kept);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(kept, `${target}.new`);
  renameSync(`${target}.new`, target);
  return built ? 'restored' : 'built';
};
