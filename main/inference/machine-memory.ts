/**
 * How much memory there is here, and how much of it programs could still get. In a container with a limit both are the
 * container's: what the machine has beside it cannot be had.
 */
import { readFile } from 'node:fs/promises';
import { freemem, totalmem } from 'node:os';
import { dirname, join } from 'node:path';

export type MachineMemory = Readonly<{ freeBytes: number; totalBytes: number }>;

/** Where Linux tells of control groups, which is what containers are limited by. */
export type CgroupPlaces = Readonly<{ own: string; root: string }>;
const systemPlaces: CgroupPlaces = { own: '/proc/self/cgroup', root: '/sys/fs/cgroup' };

type Names = Readonly<{ limit: string; usage: string; inactive: string }>;
const version1: Names = {
  limit: 'memory.limit_in_bytes',
  usage: 'memory.usage_in_bytes',
  inactive: 'total_inactive_file',
};
const version2: Names = { limit: 'memory.max', usage: 'memory.current', inactive: 'inactive_file' };

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** NaN for what is no number, such as the word `max`. */
const numberIn = (text: string): number => Number.parseInt(text, 10);

/** What a group may still get and have in all; null where it has no limit of its own. */
const memoryOfGroup = async (folder: string, names: Names): Promise<MachineMemory | null> => {
  const [limit, usage, stat] = await Promise.all([
    textOf(join(folder, names.limit)),
    textOf(join(folder, names.usage)),
    textOf(join(folder, 'memory.stat')),
  ]);
  const totalBytes = numberIn(limit);
  const used = numberIn(usage);
  if (Number.isNaN(totalBytes) || Number.isNaN(used)) return null;
  // Files that were read and are not in use count as used there, but are given up as soon as a program needs room.
  const cached = numberIn(new RegExp(`^${names.inactive} (\\d+)$`, 'm').exec(stat)?.[1] ?? '0');
  return { freeBytes: Math.max(0, totalBytes - Math.max(0, used - cached)), totalBytes };
};

/** The group that this process is in and all around it, the innermost first. A container may only see the outermost. */
const groupsOf = (path: string, root: string): readonly string[] => {
  const folders = [join(root, path)];
  for (let at = path; at !== dirname(at); ) {
    at = dirname(at);
    folders.push(join(root, at));
  }
  return folders;
};

/** Of the group with the least to give, if any has a limit. */
const memoryOfContainer = async ({ own, root }: CgroupPlaces): Promise<MachineMemory | null> => {
  const lines = (await textOf(own)).split('\n').map((line) => line.split(':'));
  const first = lines.find(([, controllers]) => controllers?.split(',').includes('memory'));
  const second = lines.find(([id, controllers]) => id === '0' && controllers === '');
  const [line, names, mounted] = first ? [first, version1, join(root, 'memory')] : [second, version2, root];
  if (!line) return null;
  const groups = await Promise.all(groupsOf(line.slice(2).join(':'), mounted).map((at) => memoryOfGroup(at, names)));
  const limited = groups.filter((group) => group !== null).toSorted((a, b) => a.freeBytes - b.freeBytes);
  return limited[0] ?? null;
};

/** Caches included. On macOS `freemem` leaves those out, so another source is asked, which starts other programs. */
const freeOnMachine = async (): Promise<number> =>
  process.platform === 'darwin' ? (await (await import('systeminformation')).mem()).available : freemem();

export const machineMemory = async (places: CgroupPlaces = systemPlaces): Promise<MachineMemory> => {
  const machine = { freeBytes: await freeOnMachine(), totalBytes: totalmem() };
  const container = process.platform === 'linux' ? await memoryOfContainer(places) : null;
  if (container === null || container.totalBytes >= machine.totalBytes) return machine;
  return { ...container, freeBytes: Math.min(container.freeBytes, machine.freeBytes) };
};
