/**
 * The test command: lint, types, layers, what nobody takes, then the test suites. Every check and every test counts
 * once; tests that could not run here count as neither. The last line is `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

type Tally = Readonly<{ passed: number; failed: number; skipped: number }>;

const root = resolve(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'vouch-test-'));

const run = (command: readonly string[]): boolean => {
  const [file = '', ...args] = command;
  console.log(`\n> ${command.join(' ')}`);
  return spawnSync(file, args, { cwd: root, stdio: 'inherit' }).status === 0;
};

const check = (command: readonly string[]): Tally => {
  const ok = run(command);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
};

/** A suite that dies without a report, or passes no test at all, counts as one failure. */
const suite = (project: string): Tally => {
  const report = join(scratch, `${project}.json`);
  const command = ['vitest', 'run', '--config', 'build/vitest.config.ts', '--project', project];
  const ok = run([...command, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]);
  try {
    const totals = JSON.parse(readFileSync(report, 'utf8'));
    const failed = totals.numFailedTests + (ok || totals.numFailedTests > 0 ? 0 : 1);
    return { passed: totals.numPassedTests, failed, skipped: totals.numPendingTests + totals.numTodoTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
};

const soak = process.argv.includes('soak');
const steps: readonly (() => Tally)[] = soak
  ? [() => check(['node', 'build/scripts/prepare.cjs']), () => suite('soak')]
  : [
      () => check(['node', 'build/scripts/prepare.cjs']),
      () => check(['biome', 'check', '.']),
      () => check(['npm', 'run', '-s', 'types']),
      () => check(['npm', 'run', '-s', 'layers']),
      () => check(['npm', 'run', '-s', 'unused']),
      () => check(['npm', 'run', '-s', 'architecture']),
      () => suite('unit'),
      () => suite('integration'),
      () => suite('e2e'),
    ];

const total = steps
  .map((step) => step())
  .reduce((a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  }));
rmSync(scratch, { recursive: true, force: true });
if (total.skipped > 0) console.log(`${total.skipped} not run here (see above)`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
