/** One photo against one statement, now: what `judge` and the spot-check do. Stores nothing. */

import { vouchError } from '../contract/error.ts';
import type { Precision } from '../contract/labels.ts';
import type { Prescreen } from '../contract/photo.ts';
import type { NormalisedStatement } from '../contract/statement.ts';
import { VouchFailure } from '../failure.ts';
import type { Encoded, EncodeOptions, EncodeResult } from '../inference/core/engine-types.ts';
import type { LoadedInfo } from '../inference/protocol.ts';
import { noMarks } from '../policy/policy.ts';
import { allHeld } from '../verdicts/rescore.ts';
import type { HeldInfo, JudgedRow, PhotoToJudge, PreparedInfo } from '../verdicts/rescore-protocol.ts';
import { toJudge } from './encoded.ts';
import type { Judging } from './judging.ts';
import { operationFor } from './operation.ts';

export type SpotCheck = Readonly<{
  row: JudgedRow;
  sent: Omit<NormalisedStatement, 'language'>;
  prescreen: Prescreen | null;
  loaded: LoadedInfo;
  precision: Precision;
  timingMs: Readonly<{ decode: number; prescreen: number; encode: number; judge: number; total: number }>;
}>;

const noTimes = { read: 0, decode: 0, prescreen: 0, views: 0 };

export type EncodedFile = Readonly<{
  encoded: Encoded;
  normalised: NormalisedStatement;
  loaded: LoadedInfo;
  startedAt: number;
}>;
type Answer = Readonly<{ result: EncodeResult; loaded: LoadedInfo; startedAt: number }>;

const person = 'judge';

const ask = async (
  judging: Judging,
  path: string,
  statement: PreparedInfo,
  options: Pick<EncodeOptions, 'client' | 'deadlineAt' | 'signal'>,
): Promise<Answer> => {
  const engine = await judging.engine();
  const startedAt = performance.now();
  const operation = operationFor(judging.rescorer.pack, [statement]);
  const result = await engine.encode(path, { ...options, priority: 'interactive', operation });
  return { result, loaded: engine.info(), startedAt };
};

/**
 * Has the engine look at one file for one statement, before all bulk work and however long it takes.
 * @throws VouchFailure when nothing is left of the statement, or the file is no photo that can be judged.
 */
export const encodeOne = async (
  judging: Judging,
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<EncodedFile> => {
  const [read] = await judging.rescorer.read([{ key: 0, text }]);
  if (!read?.ok) throw new VouchFailure(read?.error ?? vouchError('no_statement', {}));
  const { normalised } = read.value;
  const { result, ...rest } = await ask(judging, path, read.value, { client: person, deadlineAt: null, signal });
  if (!result.ok) throw new VouchFailure(whyNot(result, path));
  return { encoded: result, normalised, ...rest };
};

/** @throws VouchFailure where there is nothing to judge, and the time limit was not missed either. */
const toJudgeOf = (result: EncodeResult, path: string): PhotoToJudge => {
  if (result.ok) return toJudge(result);
  const limitMs = result.kind === 'not_done' ? result.limitMs : undefined;
  if (limitMs === undefined) throw new VouchFailure(whyNot(result, path));
  return { seen: { kind: 'timed_out', limitMs }, marks: noMarks };
};

/** As `encodeOne`, but within the time limit of interactive photos, then judges: MAYBE where that was missed. */
export const judgeOne = (
  judging: Judging,
  path: string,
  text: string,
  signal: AbortSignal,
  client = person,
): Promise<SpotCheck> =>
  judging.rescorer.withStatements([{ key: 0, text }], async (results) => {
    const [statement] = allHeld(results);
    return judgeHeld(judging, path, statement!, { client, signal });
  });

const judgeHeld = async (
  judging: Judging,
  path: string,
  statement: HeldInfo,
  options: Pick<EncodeOptions, 'client' | 'signal'>,
): Promise<SpotCheck> => {
  const { result, loaded, startedAt } = await ask(judging, path, statement, options);
  const photo = toJudgeOf(result, path);
  const encodedAt = performance.now();
  const [rows] = await judging.rescorer.judge([photo], [statement.handle], true);
  const endedAt = performance.now();
  const { read, decode, prescreen, views } = result.ok ? result.info.timingMs : noTimes;
  const { language: _, ...sent } = statement.normalised;
  return {
    row: rows![0]!,
    sent,
    prescreen: result.ok ? result.info.prescreen : null,
    loaded,
    precision: result.ok ? result.precision : loaded.precision,
    timingMs: {
      decode: read + decode + views,
      prescreen,
      encode: result.ok ? result.timing.runMs : 0,
      judge: endedAt - encodedAt,
      total: endedAt - startedAt,
    },
  };
};

const whyNot = (result: Extract<EncodeResult, { ok: false }>, path: string) => {
  if (result.kind === 'quarantine') return vouchError('photo_unusable', { path, reason: result.reason });
  if (result.code === 'cancelled') return vouchError('cancelled', {});
  if (result.code === 'queue_full') return vouchError('queue_full', { detail: result.detail }, true);
  return vouchError('engine_unavailable', { detail: result.detail });
};
