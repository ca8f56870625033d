import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = resolve(import.meta.dirname, '..');
/**
 * Unit tests are pure and run as many at once as there are cores; integration tests own processes and mostly wait for
 * them, so two files share the time; the others want the machine, or the display, for themselves. Times only bound a
 * test that hangs: they are many times what a slow, busy machine takes.
 */
const project = (name: string, testTimeout: number, filesAtOnce?: number) => ({
  root,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: testTimeout,
    ...(filesAtOnce !== undefined && { maxWorkers: filesAtOnce, fileParallelism: filesAtOnce > 1 }),
    pool: 'forks' as const,
    // Hosts and workers inherit it; packs of the tests have adapters of their own.
    env: { VOUCH_ADAPTERS: resolve(root, 'test', 'fixtures', 'adapters.ts') },
  },
});

export default defineConfig({
  root,
  test: {
    projects: [
      project('unit', 60_000),
      project('integration', 300_000, 2),
      project('e2e', 600_000, 1),
      project('soak', 1_800_000, 1),
    ],
  },
});
