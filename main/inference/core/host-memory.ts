/** Replaces a host that holds more memory than it may, between two batches or requests. */
import type { EngineEvent, HostMemoryTimes } from './engine-types.ts';

export type MeasuredHost = Readonly<{
  kind: 'image' | 'inference';
  pid: number | undefined;
  rssBytes: number | null;
  /** Lets what is in it end first. */
  replace: () => Promise<void>;
}>;

const usualTimes: HostMemoryTimes = { lookEveryMs: 5000, youngMs: 60_000 };

/** Returns what ends the watch. `ceilingMb` 0: none. */
export const watchHostMemory = (
  ceilingMb: number,
  hosts: () => readonly MeasuredHost[],
  tell: (event: EngineEvent) => void,
  { lookEveryMs, youngMs }: HostMemoryTimes = usualTimes,
): (() => void) => {
  if (ceilingMb === 0) return () => undefined;
  /** When each process was seen first. */
  let since: ReadonlyMap<number, number> = new Map();
  let looking = false;
  const look = async (): Promise<void> => {
    const now = Date.now();
    const found = hosts();
    since = new Map(found.flatMap(({ pid }) => (pid === undefined ? [] : [[pid, since.get(pid) ?? now] as const])));
    for (const { kind, pid, rssBytes, replace } of found) {
      if (pid === undefined || rssBytes === null || rssBytes <= ceilingMb * 2 ** 20) continue;
      if (now - (since.get(pid) ?? now) < youngMs) continue;
      tell({ kind: 'over_memory', host: kind, rssBytes });
      await replace();
    }
  };
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    await look().catch(() => undefined);
    looking = false;
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
};
