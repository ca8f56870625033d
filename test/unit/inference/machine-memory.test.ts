import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { machineMemory } from '../../../main/inference/machine-memory.ts';

const mib = 2 ** 20;
const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** Control groups as Linux shows them: what a process is in, and files by their path. */
const cgroups = (own: string, files: Readonly<Record<string, string | number>>) => {
  const dir = mkdtempSync(join(tmpdir(), 'vouch-cgroups-'));
  made.push(dir);
  const write = (path: string, content: string | number) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${content}\n`);
  };
  write(join(dir, 'own'), own);
  for (const [path, content] of Object.entries(files)) write(join(dir, 'cgroup', path), content);
  return { own: join(dir, 'own'), root: join(dir, 'cgroup') };
};

it('is that of the machine where nothing limits it', async () => {
  const { freeBytes, totalBytes } = await machineMemory(cgroups('', {}));
  expect(totalBytes).toBe(totalmem());
  expect(freeBytes).toBeGreaterThan(0);
  expect(freeBytes).toBeLessThan(totalBytes);
  const unlimited = cgroups('0::/app', { 'app/memory.max': 'max', 'app/memory.current': 5 });
  expect((await machineMemory(unlimited)).totalBytes).toBe(totalmem());
  const huge = cgroups('4:memory:/app', {
    'memory/app/memory.limit_in_bytes': '9223372036854771712',
    'memory/app/memory.usage_in_bytes': 5,
  });
  expect((await machineMemory(huge)).totalBytes).toBe(totalmem());
});

it('is read where it is, and never more is free than there is', async () => {
  const { freeBytes, totalBytes } = await machineMemory();
  expect(freeBytes).toBeGreaterThan(0);
  expect(freeBytes).toBeLessThanOrEqual(totalBytes);
  expect(totalBytes).toBeLessThanOrEqual(totalmem());
});

describe.runIf(process.platform === 'linux')('in a container with a limit', () => {
  it('is that of the container; files that were read and are not in use count as free', async () => {
    const places = cgroups('0::/app/worker', {
      'app/worker/memory.max': 64 * mib,
      'app/worker/memory.current': 40 * mib,
      'app/worker/memory.stat': `anon 1\ninactive_anon 3\ninactive_file ${10 * mib}\nactive_file 7`,
    });
    expect(await machineMemory(places)).toEqual({ freeBytes: 34 * mib, totalBytes: 64 * mib });
  });

  it('is that of the group around it which has the least to give', async () => {
    const places = cgroups('0::/app/worker', {
      'app/worker/memory.max': 64 * mib,
      'app/worker/memory.current': 10 * mib,
      'app/memory.max': 80 * mib,
      'app/memory.current': 75 * mib,
      'app/memory.stat': 'inactive_file 0',
    });
    expect(await machineMemory(places)).toEqual({ freeBytes: 5 * mib, totalBytes: 80 * mib });
  });

  it('is found at the root of what the container sees, by either version', async () => {
    const second = cgroups('0::/', { 'memory.max': 64 * mib, 'memory.current': 64 * mib });
    expect(await machineMemory(second)).toEqual({ freeBytes: 0, totalBytes: 64 * mib });
    // The path is the host's, which the container does not see.
    const first = cgroups('9:cpu,cpuacct:/x\n4:memory:/docker/0123\n0::/', {
      'memory/memory.limit_in_bytes': 64 * mib,
      'memory/memory.usage_in_bytes': 50 * mib,
      'memory/memory.stat': `inactive_file 1\ntotal_inactive_file ${20 * mib}`,
    });
    expect(await machineMemory(first)).toEqual({ freeBytes: 34 * mib, totalBytes: 64 * mib });
  });
});
