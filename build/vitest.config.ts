import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = resolve(import.meta.dirname, '..');
/**
 * Unit tests are pure and run side by side; the others own processes and run one file at a time. Times only bound a test
 * that hangs: they are many times what a slow, busy machine takes.
 */
const project = (name: string, testTimeout: number, alone: boolean) => ({
  root,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: testTimeout,
    fileParallelism: !alone,
    pool: 'forks' as const,
  },
});

export default defineConfig({
  root,
  test: {
    projects: [
      project('unit', 60_000, false),
      project('integration', 300_000, true),
      project('e2e', 600_000, true),
      project('soak', 1_800_000, true),
    ],
  },
});
