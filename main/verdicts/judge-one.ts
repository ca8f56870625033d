/** One photo against one statement, now: what `judge` and the spot-check do. Stores nothing. */

import { vouchError } from '../contract/error.ts';
import type { Precision } from '../contract/labels.ts';
import type { Prescreen } from '../contract/photo.ts';
import type { NormalisedStatement } from '../contract/statement.ts';
import type { Judging } from '../core.ts';
import { VouchFailure } from '../failure.ts';
import type { Encoded, EncodeOptions, EncodeResult } from '../inference/engine-types.ts';
import type { LoadedInfo } from '../inference/protocol.ts';
import { toJudge } from './encoded.ts';
import type { JudgedRow } from './rescore-protocol.ts';

export type SpotCheck = Readonly<{
  row: JudgedRow;
  sent: Omit<NormalisedStatement, 'language'>;
  prescreen: Prescreen | null;
  loaded: LoadedInfo;
  precision: Precision;
  timingMs: Readonly<{ decode: number; prescreen: number; encode: number; judge: number; total: number }>;
}>;

/** Any key does: a spot check's statement is in no set. */
const key = 0;

export type AskedBy = Pick<EncodeOptions, 'client' | 'deadlineAt'>;
/** A person who waits as long as it takes. */
const aPerson: AskedBy = { client: 'judge', deadlineAt: null };

export type LookedAt = Readonly<{
  encoded: Encoded;
  normalised: NormalisedStatement;
  loaded: LoadedInfo;
  startedAt: number;
}>;

/**
 * Has the engine look at one file for one statement, before all bulk work.
 * @throws VouchFailure when nothing is left of the statement, or the file is no photo that can be judged.
 */
export const encodeOne = async (
  judging: Judging,
  path: string,
  text: string,
  signal: AbortSignal,
  by: AskedBy = aPerson,
): Promise<LookedAt> => {
  const [prepared] = await judging.rescorer.prepare([{ key, text }]);
  if (!prepared?.ok) throw new VouchFailure(prepared?.error ?? vouchError('no_statement', {}));
  const { parts, normalised } = prepared.value;
  const engine = await judging.engine();
  const startedAt = performance.now();
  const encoded = await engine.encode(path, { ...by, priority: 'interactive', parts, signal });
  if (!encoded.ok) throw new VouchFailure(whyNot(encoded, path, performance.now() - startedAt));
  return { encoded, normalised, loaded: engine.info(), startedAt };
};

/** As `encodeOne`, then judges. */
export const judgeOne = async (
  judging: Judging,
  path: string,
  text: string,
  signal: AbortSignal,
  by?: AskedBy,
): Promise<SpotCheck> => {
  const { encoded, normalised, loaded, startedAt } = await encodeOne(judging, path, text, signal, by);
  const encodedAt = performance.now();
  const { rescorer } = judging;
  // Prepared again, in one go with judging: meanwhile the key may have become another spot check's.
  const [, [rows]] = await Promise.all([
    rescorer.prepare([{ key, text }]),
    rescorer.judge([toJudge(encoded)], [key], true),
  ]);
  const endedAt = performance.now();
  const { read, decode, prescreen, views } = encoded.info.timingMs;
  const { language: _, ...sent } = normalised;
  return {
    row: rows![0]!,
    sent,
    prescreen: encoded.info.prescreen,
    loaded,
    precision: encoded.precision,
    timingMs: {
      decode: read + decode + views,
      prescreen,
      encode: encoded.timing.runMs,
      judge: endedAt - encodedAt,
      total: endedAt - startedAt,
    },
  };
};

const whyNot = (result: Extract<EncodeResult, { ok: false }>, path: string, tookMs: number) => {
  if (result.kind === 'quarantine') return vouchError('photo_unusable', { path, reason: result.reason });
  if (result.code === 'cancelled') return vouchError('cancelled', {});
  if (result.code === 'timed_out') return vouchError('timed_out', { limitMs: Math.round(tookMs) }, true);
  if (result.code === 'queue_full') return vouchError('queue_full', { detail: result.detail }, true);
  return vouchError('engine_unavailable', { detail: result.detail });
};
