/** By when a photo's caller is answered. */
import type { EncodeResult } from './engine-types.ts';

/** UTC milliseconds; no deadline: it takes as long as it takes. */
export type TimeLimit = Readonly<{ askedAt: number; deadlineAt: number | null }>;

/** The host itself tells of a photo that is late; this is for one that it does not have yet. */
const graceMs = 100;

/** Says of a photo that missed its own limit which one that was. */
export const withLimit = <R extends EncodeResult>(result: R, { askedAt, deadlineAt }: TimeLimit): R =>
  !result.ok && result.kind === 'not_done' && result.code === 'timed_out' && deadlineAt !== null
    ? { ...result, limitMs: deadlineAt - askedAt }
    : result;

/** Aborts with the caller's signal, and once the time limit has passed. */
export const inTime = ({ deadlineAt }: TimeLimit, signal: AbortSignal | undefined): AbortSignal | undefined => {
  if (deadlineAt === null) return signal;
  const limit = AbortSignal.timeout(Math.max(0, deadlineAt + graceMs - Date.now()));
  return signal ? AbortSignal.any([signal, limit]) : limit;
};
