/**
 * Faults on demand, for tests of what happens then. Off unless the environment variable VOUCH_FAULTS holds a JSON list
 * of faults; never set it outside tests.
 */
import { z } from 'zod';

const faultSchema = z.strictObject({
  host: z.enum(['image', 'inference']),
  what: z.enum(['crash', 'hang', 'out_of_memory', 'not_finite', 'slow']),
  /** Strikes the Nth photo of this process, counted from 1 ... */
  nth: z.int().positive().optional(),
  /** ... or every photo of this client, or whose path contains this. */
  match: z.string().min(1).optional(),
  /** For `slow`: how long to wait. */
  ms: z.int().positive().optional(),
});
export type Fault = z.infer<typeof faultSchema>;

export type FaultPoint = (key: string) => Fault | undefined;

/** Call the result once per photo; it tells which fault strikes, if any. */
export const faultsFor = (host: Fault['host'], text: string | undefined = process.env.VOUCH_FAULTS): FaultPoint => {
  if (!text) return () => undefined;
  const faults = z.array(faultSchema).parse(JSON.parse(text));
  let count = 0;
  return (key) => {
    count += 1;
    return faults.find(
      (fault) =>
        fault.host === host &&
        (fault.nth === undefined || fault.nth === count) &&
        (fault.match === undefined || key.includes(fault.match)) &&
        (fault.nth !== undefined || fault.match !== undefined),
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
