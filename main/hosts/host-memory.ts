/** How much memory hosts hold; and one that holds more than it may is replaced, between two batches or requests. */
import { readFileSync } from 'node:fs';
import type { HostEvent, HostFigures, HostKind } from './host-events.ts';

/** `youngMs`: a host that is over its ceiling so soon would only be over it again. */
export type HostMemoryTimes = Readonly<{ lookEveryMs: number; youngMs: number }>;

type MeasuredHost = Pick<HostFigures, 'pid' | 'rssBytes'> &
  Readonly<{
    /** Lets what is in it end first. */
    replace: () => Promise<void>;
  }>;

export type HostMemoryPorts = Readonly<{
  kind: HostKind;
  /** In MB; 0: none. */
  ceilingMb: () => number;
  hosts: () => readonly MeasuredHost[];
  tell: (event: HostEvent) => void;
  times?: HostMemoryTimes;
}>;

const usualTimes: HostMemoryTimes = { lookEveryMs: 5000, youngMs: 60_000 };

/** Returns what ends the watch. */
export const watchHostMemory = ({
  kind,
  ceilingMb,
  hosts,
  tell,
  times = usualTimes,
}: HostMemoryPorts): (() => void) => {
  /** When each process was seen first. */
  let since: ReadonlyMap<number, number> = new Map();
  let looking = false;
  const look = async (): Promise<void> => {
    const ceiling = ceilingMb();
    if (ceiling === 0) return;
    const now = Date.now();
    const found = hosts();
    since = new Map(found.flatMap(({ pid }) => (pid === undefined ? [] : [[pid, since.get(pid) ?? now] as const])));
    for (const { pid, rssBytes, replace } of found) {
      if (pid === undefined || rssBytes === null || rssBytes <= ceiling * 2 ** 20) continue;
      if (now - (since.get(pid) ?? now) < times.youngMs) continue;
      tell({ kind: 'over_memory', host: kind, rssBytes });
      await replace();
    }
  };
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    await look().catch(() => undefined);
    looking = false;
  }, times.lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
};

const pageBytes = 4096;

/** Resident memory of a process in bytes; null where the system does not tell cheaply. */
export const residentBytes = (pid: number | undefined): number | null => {
  if (pid === undefined || process.platform !== 'linux') return null;
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
  } catch {
    return null;
  }
};
