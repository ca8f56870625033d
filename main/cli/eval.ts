/** `vouch eval PAIRS.tsv --photos DIR`: scores a pack on labelled pairs; stores nothing. */
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import pMap from 'p-map';
import { evalDocumentSchema } from '../contract/cli.ts';
import { vouchError } from '../contract/error.ts';
import { safeOutput } from '../export/guard.ts';
import { VouchFailure } from '../failure.ts';
import { toJudge } from '../judging/encoded.ts';
import type { Judging } from '../judging/judging.ts';
import { operationFor } from '../judging/operation.ts';
import { evaluate, type LabelledPair, type Prediction, readPairs, writePredictions } from '../verdicts/eval.ts';
import { allHeld } from '../verdicts/rescore.ts';
import type { HeldInfo } from '../verdicts/rescore-protocol.ts';
import { deviceOf, modelOf, precisionOf } from '../words/documents.ts';
import { folderAt } from './given.ts';
import { common, type EngineOptions, engine, judgingOptionsFrom } from './options.ts';
import { print, printDocument } from './output.ts';
import { openProgress } from './progress.ts';
import { type CommandSession, type CommonOptions, withSession } from './session.ts';

type EvalOptions = CommonOptions &
  EngineOptions &
  Readonly<{ photos: string; normalise: boolean; prescreen?: boolean; predictions?: string }>;

const askedAtOnce = 64;

export const addEval = (program: Command, entry: string): void => {
  engine(common(program.command('eval')))
    .summary('score a pack on labelled pairs')
    .description(
      'Judges labelled pairs of photo and statement and compares. The file is tab-separated with the columns photo,\n' +
        'label (yes, no or maybe) and statement; with a column kind, figures come by kind too. Stores nothing.',
    )
    .argument('<pairs.tsv>', 'labelled pairs')
    .requiredOption('--photos <dir>', 'where the photos are')
    .option('--no-normalise', 'send statements as they are written')
    .option('--prescreen', 'leave out flat photos as a scan does')
    .option('--predictions <file>', 'write each prediction to a TSV file')
    .action((file: string, options: EvalOptions) =>
      withSession(entry, options, (session) => runCommand(session, resolve(file), options)),
    );
};

const runCommand = async (session: CommandSession, file: string, options: EvalOptions): Promise<void> => {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new VouchFailure(vouchError('file_missing', { path: file }));
  });
  const read = readPairs(text, file);
  if (!read.ok) throw new VouchFailure(read.error);
  const { pairs } = read.value;
  const out = options.predictions === undefined ? null : await safeOutput(options.predictions, session.core.home);
  if (out !== null) await folderAt(dirname(out));
  const startedAt = performance.now();
  const judgingOptions = judgingOptionsFrom(options, {
    prescreen: options.prescreen ?? false,
    normalise: options.normalise,
  });
  await session.withJudging(judgingOptions, async (judging) => {
    const predictions = await predict(session, judging, pairs, resolve(options.photos));
    const figures = evaluate(
      pairs.flatMap((pair, i) => (predictions[i]!.p === null ? [] : [{ pair, prediction: predictions[i]! }])),
    );
    if (out !== null) {
      await writeFile(
        out,
        writePredictions(read.value, (_, i) => predictions[i]!),
      );
    }
    const info = (await judging.engine()).info();
    const document = {
      ...figures,
      seconds: (performance.now() - startedAt) / 1000,
      device: deviceOf(options.device.kind, info),
      precision: precisionOf(info),
      model: modelOf(judging),
    };
    if (options.json) printDocument(evalDocumentSchema, document);
    else printFigures(document);
  });
};

/** One prediction a pair, in order. Each photo is looked at once. */
const predict = (
  session: CommandSession,
  judging: Judging,
  pairs: readonly LabelledPair[],
  photosDir: string,
): Promise<readonly Prediction[]> => {
  const texts = [...new Set(pairs.map(({ statement }) => statement))];
  return judging.rescorer.withStatements(
    texts.map((text) => ({ key: 0, text })),
    (results) => {
      const held = new Map(allHeld(results).map((statement, i) => [texts[i]!, statement]));
      return predictHeld(session, judging, pairs, photosDir, held);
    },
  );
};

/** `held`: the statements by their texts. */
const predictHeld = async (
  { signal }: CommandSession,
  judging: Judging,
  pairs: readonly LabelledPair[],
  photosDir: string,
  held: ReadonlyMap<string, HeldInfo>,
): Promise<readonly Prediction[]> => {
  const byPhoto = Map.groupBy(
    pairs.map((pair, index) => ({ pair, index })),
    ({ pair }) => pair.photo,
  );
  const predictions: Prediction[] = new Array(pairs.length);
  const engine = await judging.engine();
  const progress = openProgress('Scoring');
  let done = 0;
  const startedAt = performance.now();
  try {
    await pMap(
      byPhoto,
      async ([photo, members]) => {
        signal.throwIfAborted();
        const path = join(photosDir, photo);
        const statements = [...new Set(members.map(({ pair }) => held.get(pair.statement)!))];
        const operation = operationFor(judging.rescorer.pack, statements);
        const encoded = await engine.encode(path, { client: 'eval', operation, signal });
        if (!encoded.ok) {
          if (encoded.kind === 'quarantine') {
            throw new VouchFailure(vouchError('photo_unusable', { path, reason: encoded.reason }));
          }
          throw new VouchFailure(vouchError('engine_unavailable', { detail: encoded.detail }));
        }
        const handles = statements.map(({ handle }) => handle);
        const [rows = []] = await judging.rescorer.judge([toJudge(encoded)], handles);
        members.forEach(({ pair, index }) => {
          const { label, adjusted, reason } = rows[statements.indexOf(held.get(pair.statement)!)]!;
          predictions[index] = { label, p: adjusted, reasonCode: reason.code };
        });
        done += 1;
        const perSecond = done / ((performance.now() - startedAt) / 1000);
        const left = byPhoto.size - done;
        progress.update({ done, total: byPhoto.size, perSecond, etaMs: (left / perSecond) * 1000, extra: '' });
      },
      { concurrency: askedAtOnce },
    );
  } catch (error) {
    throw signal.aborted ? new VouchFailure(vouchError('cancelled', {})) : error;
  } finally {
    progress.end();
  }
  return predictions;
};

const percent = (share: number | null): string => (share === null ? '-' : `${(share * 100).toFixed(1)} %`);

const printFigures = (figures: ReturnType<typeof evaluate> & Readonly<{ seconds: number }>): void => {
  const { pairs, photos, accuracy, coverage, accuracyDecided, falseYes, falseNo, auc, ece } = figures;
  print(`${pairs} pairs on ${photos} photos in ${figures.seconds.toFixed(1)} s`);
  print(
    `right among decided ${percent(accuracyDecided)} at coverage ${percent(coverage)}; accuracy ${percent(accuracy)}`,
  );
  print(
    `false yes ${percent(falseYes)}, false no ${percent(falseNo)}, AUC ${auc?.toFixed(3) ?? '-'}, ECE ${ece?.toFixed(3) ?? '-'}`,
  );
  const kinds = Object.entries(figures.byKind);
  if (kinds.length > 0) print('\nkind                     pairs  decided    right');
  for (const [kind, { pairs: count, coverage: decided, accuracyDecided: right }] of kinds) {
    print(
      `${kind.padEnd(24)} ${String(count).padStart(5)} ${percent(decided).padStart(8)} ${percent(right).padStart(8)}`,
    );
  }
};
