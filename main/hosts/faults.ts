/**
 * Faults on demand, for tests of what happens then. Off unless the environment variable VOUCH_FAULTS holds a JSON list
 * of faults, and in a packaged app always.
 */
import { closeSync, openSync } from 'node:fs';
import { z } from 'zod';

const faultSchema = z.strictObject({
  host: z.enum(['image', 'inference', 'core']),
  what: z.enum(['crash', 'hang', 'out_of_memory', 'device_lost', 'not_finite', 'slow', 'memory_pressure']),
  /** Strikes the Nth photo of this process, counted from 1 ... */
  nth: z.int().positive().optional(),
  /** ... or the first so many photos (of the core: looks at the memory) ... */
  first: z.int().positive().optional(),
  /** A file that marks that this fault has struck: it strikes no second time, in whatever process. */
  once: z.string().min(1).optional(),
  /** ... or every photo of this client, or whose path contains this. */
  match: z.string().min(1).optional(),
  /** For `slow`: how long to wait. */
  ms: z.int().positive().optional(),
  /** For `memory_pressure`: how much of the memory seems used. */
  percent: z.number().min(0).max(100).optional(),
});
export type Fault = z.infer<typeof faultSchema>;

export type FaultPoint = (key: string) => Fault | undefined;

/** False where the file is there already. */
const marked = (file: string): boolean => {
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch {
    return false;
  }
};

/** Where Electron looks for the app of a package; macOS writes the folder with a capital. */
export const isPackaged = (url: string): boolean => /\/resources\/app(\.asar[^/]*)?\//i.test(url);
const packaged = isPackaged(import.meta.url);

/** Call the result once per photo; it tells which fault strikes, if any. */
export const faultsFor = (host: Fault['host'], text: string | undefined = process.env.VOUCH_FAULTS): FaultPoint => {
  if (!text || packaged) return () => undefined;
  const faults = z.array(faultSchema).parse(JSON.parse(text));
  let count = 0;
  return (key) => {
    count += 1;
    return faults.find(
      ({ nth, first, match, once, ...fault }) =>
        fault.host === host &&
        (nth === undefined || nth === count) &&
        (first === undefined || count <= first) &&
        (match === undefined || key.includes(match)) &&
        (nth !== undefined || first !== undefined || match !== undefined) &&
        (once === undefined || marked(once)),
    );
  };
};

const blockFor = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/** Lets a fault of the process itself strike; the others are for the caller to act out. */
export const strike = (fault: Fault | undefined): void => {
  if (fault?.what === 'crash') process.kill(process.pid, 'SIGABRT');
  if (fault?.what === 'hang') blockFor(2 ** 31 - 1);
  if (fault?.what === 'slow') blockFor(fault.ms ?? 1000);
};
