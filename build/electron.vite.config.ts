/** One build for everything that runs: the shell, the hosts and workers, the command line, the preload and the window. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const root = resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
const at = (...path: string[]) => resolve(root, ...path);

/** Every process and worker of Vouch is an entry of its own, so that the core can start it by file. */
const entries = {
  cli: at('main/cli/cli.ts'),
  electron: at('electron/main.ts'),
  'image-host': at('main/images/host/image-host.ts'),
  'inference-host': at('main/inference/host/inference-host.ts'),
  'session-worker': at('main/inference/session/session-worker.ts'),
  'store-worker': at('main/store/sql/worker.ts'),
  'rescore-worker': at('main/judging/worker/rescore-worker.ts'),
  'export-worker': at('main/export/worker/export-worker.ts'),
};
const missing = Object.values(entries).filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`no such entry: ${missing.join(', ')}`);

export default defineConfig({
  main: {
    root,
    define: { __VOUCH_VERSION__: JSON.stringify(version) },
    build: {
      target: 'node20.18',
      outDir: at('dist/main'),
      sourcemap: true,
      minify: false,
      rollupOptions: {
        input: entries,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    root,
    build: {
      target: 'node20.18',
      outDir: at('dist/preload'),
      rollupOptions: {
        input: { preload: at('electron/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('renderer'),
    plugins: [react()],
    build: {
      target: 'chrome130',
      outDir: at('dist/renderer'),
      minify: true,
      // Inlined fonts would be data: URLs, which the content security policy refuses.
      assetsInlineLimit: 0,
      rollupOptions: { input: at('renderer/index.html') },
    },
  },
});
