/**
 * Holds changed paths until they are left alone. A file counts as finished when size, time of change and inode stay the
 * same over a window: size alone is not enough where a copy takes up its whole size at once.
 */
import pMap from 'p-map';
import type { FileStat } from '../../store/types.ts';

export type SettleOptions = Readonly<{
  /** For how long a file must stay as it is, ms. */
  windowMs: number;
  /** Paths held at once; those beyond are refused. */
  limit: number;
  /** null: there is no such file. */
  look: (path: string) => Promise<FileStat | null>;
  settled: (files: readonly FileStat[], gone: readonly string[]) => void;
}>;

export type Settle = Readonly<{
  /** Something happened at the path, or will be worth a look `inMs` from now. False when it was refused. */
  touch: (path: string, inMs?: number) => boolean;
  /** How many paths are held. */
  size: () => number;
  close: () => Promise<void>;
}>;

type Held = { stamp: string | undefined; since: number; due: number };

const looksAtOnce = 16;
/** A burst is looked at in parts, so that one look ends before the next is due. */
const looksPerTick = 2000;
const ticksPerWindow = 4;

const stampOf = (file: FileStat | null): string => (file ? `${file.bytes} ${file.mtimeMs} ${file.inode}` : 'gone');

export const openSettle = ({ windowMs, limit, look, settled }: SettleOptions): Settle => {
  const held = new Map<string, Held>();
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> = Promise.resolve();
  let closed = false;

  const schedule = () => {
    if (closed || timer || held.size === 0) return;
    timer = setTimeout(() => {
      ticking = tick().finally(() => {
        timer = undefined;
        schedule();
      });
    }, windowMs / ticksPerWindow);
  };

  const tick = async (): Promise<void> => {
    const now = performance.now();
    const due: (readonly [string, Held])[] = [];
    for (const entry of held) {
      if (entry[1].due <= now && due.push(entry) >= looksPerTick) break;
    }
    const files: FileStat[] = [];
    const gone: string[] = [];
    const lookAt = async ([path, entry]: readonly [string, Held]): Promise<void> => {
      const file = await look(path);
      const stamp = stampOf(file);
      if (entry.stamp === stamp && now - entry.since >= windowMs) {
        held.delete(path);
        if (file) files.push(file);
        else gone.push(path);
        return;
      }
      if (entry.stamp !== stamp) Object.assign(entry, { stamp, since: now });
      entry.due = entry.since + windowMs;
    };
    await pMap(due, lookAt, { concurrency: looksAtOnce });
    if (!closed && files.length + gone.length > 0) settled(files, gone);
  };

  return {
    touch: (path, inMs = 0) => {
      if (closed) return true;
      const before = held.get(path);
      if (!before && held.size >= limit) return false;
      if (!before) held.set(path, { stamp: undefined, since: 0, due: performance.now() + inMs });
      schedule();
      return true;
    },
    size: () => held.size,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await ticking;
    },
  };
};
