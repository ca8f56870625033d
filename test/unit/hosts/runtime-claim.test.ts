import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { claimRuntimeDir } from '../../../main/hosts/runtime-claim.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'vouch-claims-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** The id of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;
const folderOf = (digit: string, owner: string | null): string => {
  const dir = join(base, `vouch-${digit.repeat(16)}`);
  mkdirSync(dir);
  writeFileSync(join(dir, 'left.sock'), '');
  if (owner) writeFileSync(join(dir, owner), '');
  return dir;
};

it('goes with its last user', () => {
  const first = claimRuntimeDir('/a/home', base);
  const second = claimRuntimeDir('/a/home', base);
  expect(second.dir).toBe(first.dir);
  first.close();
  expect(existsSync(second.dir)).toBe(true);
  second.close();
  expect(readdirSync(base)).toEqual([]);
});

it('removes what killed users left, and nothing that is in use or not ours', () => {
  const killed = folderOf('a', `${deadPid()}-00.owner`);
  const inUse = folderOf('b', `${process.pid}-00.owner`);
  const justMade = folderOf('c', null);
  const old = folderOf('d', null);
  utimesSync(old, 1, 1);
  const other = join(base, 'vouch-samples');
  mkdirSync(other);
  const claim = claimRuntimeDir('/a/home', base);
  expect([killed, old].map((dir) => existsSync(dir))).toEqual([false, false]);
  expect([inUse, justMade, other].map((dir) => existsSync(dir))).toEqual([true, true, true]);
  claim.close();
});

it('starts afresh in a folder that a killed user of the same home left', () => {
  const { dir, close } = claimRuntimeDir('/a/home', base);
  close();
  mkdirSync(dir);
  writeFileSync(join(dir, `${deadPid()}-00.owner`), '');
  writeFileSync(join(dir, 'left.sock'), '');
  const claim = claimRuntimeDir('/a/home', base);
  expect(readdirSync(dir)).toHaveLength(1);
  claim.close();
  expect(existsSync(dir)).toBe(false);
});
