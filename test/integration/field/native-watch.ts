/** Puts faults where chokidar meets the operating system: `fs.watch` itself, for every module of this process. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

export type NativeWatch = Readonly<{ folders: readonly string[]; restore: () => void }>;

/** Counts the folders that the system is asked to watch; from the `limit`-th on it refuses as it does when it has no more. */
export const limitNativeWatch = (limit: number, code: 'ENOSPC' | 'EMFILE' | 'EBADF' = 'ENOSPC'): NativeWatch => {
  const real = fs.watch;
  const folders: string[] = [];
  const limited = (...args: unknown[]): fs.FSWatcher => {
    if (folders.length >= limit) throw Object.assign(new Error(`${code}: ${String(args[0])}`), { code });
    folders.push(String(args[0]));
    return (real as (...all: unknown[]) => fs.FSWatcher)(...args);
  };
  fs.watch = limited as typeof fs.watch;
  syncBuiltinESMExports();
  return {
    folders,
    restore: () => {
      fs.watch = real;
      syncBuiltinESMExports();
    },
  };
};
