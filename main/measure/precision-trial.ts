/**
 * Finds out which precision is the fastest here that agrees with fp32: judges the bundled samples with each, in turn,
 * and compares labels. Once per pack, device and machine.
 */

import type { Label, Precision } from '../contract/labels.ts';
import type { PrecisionChoice } from '../contract/precision.ts';
import type { Encoded, Engine } from '../inference/core/engine-types.ts';
import { toJudge } from '../judging/encoded.ts';
import type { Judging, JudgingCore, JudgingOptions } from '../judging/judging.ts';
import { operationFor } from '../judging/operation.ts';
import { choosePrecision, keepChoice, precisionFile, readChoices } from '../packs/precision-choice.ts';
import { allHeld } from '../verdicts/rescore.ts';
import { loadEngine } from './load-test.ts';

const rounds = 3;
const clients = 8;

type Contender = Readonly<{ precision: Precision; judging: Judging; engine: Engine; labels: readonly Label[] }>;

/** Labels of the probe statements on the samples; joint packs judge a few pairs only, since each costs a run. */
const labelsOf = async (
  judging: Judging,
  engine: Engine,
  samples: readonly string[],
  signal: AbortSignal,
): Promise<readonly Label[]> => {
  const { pack } = judging.rescorer;
  const texts = pack.kind === 'joint' ? pack.probes.slice(0, 8) : pack.probes;
  const rows = await judging.rescorer.withStatements(
    texts.map((text) => ({ key: 0, text })),
    async (results) => {
      const held = allHeld(results);
      const operation = operationFor(pack, held);
      const encoded = await Promise.all(samples.map((path) => engine.encode(path, { operation, signal })));
      const judged = encoded.filter((result): result is Encoded => result.ok);
      signal.throwIfAborted();
      if (judged.length < samples.length) throw new Error('a sample could not be judged');
      return judging.rescorer.judge(
        judged.map(toJudge),
        held.map(({ handle }) => handle),
      );
    },
  );
  return rows.flatMap((ofPhoto) => ofPhoto.map(({ label }) => label));
};

const agreementOf = (labels: readonly Label[], reference: readonly Label[]): number =>
  labels.filter((label, i) => label === reference[i]).length / Math.max(1, reference.length);

const open = async (
  core: JudgingCore,
  options: JudgingOptions,
  precision: Precision,
  signal: AbortSignal,
): Promise<Contender> => {
  const { onEvent: _, ...quiet } = options;
  const judging = await core.openJudging({ ...quiet, precision, prescreen: null, batch: { mode: 'auto' } });
  try {
    const engine = await judging.engine();
    return { precision, judging, engine, labels: await labelsOf(judging, engine, core.samples(), signal) };
  } catch (error) {
    await judging.close();
    throw error;
  }
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Photos per second of each, measured in turn, so that a busy spell hits all alike. */
const race = async (contenders: readonly Contender[], samples: readonly string[], signal: AbortSignal) => {
  const rates = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, { engine }] of contenders.entries()) {
      signal.throwIfAborted();
      const load = { clients, priority: 'bulk', atLeast: { photos: samples.length, ms: 0 }, signal } as const;
      const { ms, seconds } = await loadEngine(engine, samples, load);
      rates[i]!.push(ms.length / seconds);
    }
  }
  return rates.map(median);
};

export type Tried = Readonly<{ choice: PrecisionChoice; fresh: boolean }>;

/**
 * What `auto` means for these options: known from before, or tried now (some ten seconds of all cores) and kept.
 * A precision that does not open here is no candidate; fp32 must.
 */
export const tryPrecisions = async (
  core: JudgingCore,
  options: JudgingOptions,
  signal: AbortSignal,
): Promise<Tried> => {
  const contenders: Contender[] = [];
  try {
    const fp32 = await open(core, options, 'fp32', signal);
    contenders.push(fp32);
    const { pack } = fp32.judging;
    const device = fp32.engine.info().device.used;
    const file = precisionFile(core.home);
    const known = readChoices(file, pack.sha256)[device];
    if (known) return { choice: known, fresh: false };
    for (const precision of pack.manifest.precisions) {
      if (precision === 'fp32') continue;
      signal.throwIfAborted();
      const contender = await open(core, { ...options, device }, precision, signal).catch(() => null);
      if (contender) contenders.push(contender);
    }
    const rates = await race(contenders, core.samples(), signal);
    const trials = contenders.map(({ precision, labels }, i) => ({
      precision,
      perSecond: rates[i]!,
      agreement: agreementOf(labels, fp32.labels),
    }));
    const precision = choosePrecision(trials);
    const choice: PrecisionChoice = { precision, trials, pairs: fp32.labels.length, at: Date.now() };
    keepChoice(file, pack.sha256, device, choice);
    core.telemetry.emit('precision_chosen', { model: pack.manifest.id, device, choice });
    return { choice, fresh: true };
  } finally {
    await Promise.all(contenders.map(({ judging }) => judging.close()));
  }
};
