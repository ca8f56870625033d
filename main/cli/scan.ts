/** `vouch scan DIR...`: judges folder trees. */
import { type Command, Option } from 'commander';
import { scanDocumentSchema } from '../contract/cli.ts';
import { vouchError } from '../contract/error.ts';
import { VouchFailure } from '../failure.ts';
import type { BatchSetting } from '../inference/protocol.ts';
import { runScan, type ScanSummary } from '../library/run-scan.ts';
import { tagOnce } from '../library/tagging/tagger.ts';
import { readSettings } from '../settings.ts';
import type { Recheck, StatementRecord, Store } from '../store/types.ts';
import { deviceOf, latencyOf, modelOf, precisionOf } from '../words/documents.ts';
import { degradationText, quarantineText } from '../words/english.ts';
import { checkGiven, folderAt, readGiven, storeGiven } from './given.ts';
import { batch, collect, common, type EngineOptions, engine, judgingOptionsFrom } from './options.ts';
import { note, print, printDocument } from './output.ts';
import { openProgress } from './progress.ts';
import { type CommandSession, type CommonOptions, withSession } from './session.ts';

type ScanOptions = CommonOptions &
  EngineOptions &
  Readonly<{
    statement: readonly string[];
    set?: string;
    batch: BatchSetting;
    recheck?: 'all' | 'degraded' | 'precision' | 'quarantined';
    strict?: boolean;
  }>;

export const addScan = (program: Command, entry: string): void => {
  engine(common(program.command('scan')))
    .summary('judge every photo in folders against statements')
    .description(
      'Judges every photo in the folders against every statement. What was judged before is not judged again, and\n' +
        'what is finished is kept when you interrupt. Folders are remembered, not watched. No photo is ever changed.',
    )
    .argument('<dir...>', 'folders to judge, with all below them')
    .option('-s, --statement <text>', 'a statement to check (repeatable)', collect, [])
    .option('--set <file>', 'a statement set in YAML; see resources/statements/samples.yaml')
    .option('--batch <size>', 'auto, or photos per batch', batch, { mode: 'auto' })
    .addOption(new Option('--recheck <what>', 'judge again').choices(['all', 'degraded', 'precision', 'quarantined']))
    .option('--strict', 'exit with 4 when a photo could not be judged')
    .addHelpText(
      'after',
      '\nExamples:\n  vouch scan ~/Photos -s "a dog" -s "a person is riding a bicycle"\n' +
        '  vouch scan ~/Photos --set holiday.yaml --json > result.json',
    )
    .action((dirs: readonly string[], options: ScanOptions) =>
      withSession(entry, options, (session) => runCommand(session, dirs, options)),
    );
};

const runCommand = async (session: CommandSession, dirs: readonly string[], options: ScanOptions): Promise<void> => {
  const roots = await Promise.all(dirs.map(folderAt));
  const given = await readGiven(options);
  if (given.entries.length === 0 && !given.set) throw new VouchFailure(vouchError('no_statement', {}));

  await session.withJudging(judgingOptionsFrom(options, { batch: options.batch, prescreen: true }), async (judging) => {
    await checkGiven(given, judging);
    await session.withStore('write', async (store) => {
      const statements = await storeGiven(given, store, judging.pack.manifest.id);
      const summary = await scanWithProgress(session, store, judging, roots, statements, options);
      await tagOnce(store, readSettings(session.core.home.settings).tags, session.signal);
      const latest = judging.startedEngine();
      report(summary, options, modelOf(judging), latest !== null);
      if (summary.interrupted) process.exitCode = 130;
      else if (options.strict && summary.photos.quarantined > 0) {
        throw new VouchFailure(vouchError('some_failed', { quarantined: summary.photos.quarantined, failed: 0 }));
      }
    });
  });
};

const recheckOf = ({ recheck, precision }: ScanOptions): Recheck => {
  if (recheck === 'precision') return { kind: 'precision', precision: precision === 'auto' ? 'fp32' : precision };
  return { kind: recheck === 'all' || recheck === 'degraded' ? recheck : 'none' };
};

const scanWithProgress = async (
  { core, signal }: CommandSession,
  store: Store,
  judging: Parameters<typeof runScan>[2],
  roots: readonly string[],
  statements: readonly StatementRecord[],
  options: ScanOptions,
): Promise<ScanSummary> => {
  const progress = openProgress('Judging');
  try {
    return await runScan(core, store, judging, {
      roots,
      statements,
      recheck: recheckOf(options),
      retryQuarantined: options.recheck === 'quarantined',
      signal,
      onProgress: ({ judged, cached, quarantined, found, photosPerSecond, etaMs }) =>
        progress.update({
          done: judged + cached + quarantined,
          total: found,
          perSecond: photosPerSecond,
          etaMs,
          extra: quarantined > 0 ? `${quarantined} quarantined` : '',
        }),
    });
  } finally {
    progress.end();
  }
};

const report = (
  summary: ScanSummary,
  options: ScanOptions,
  model: ReturnType<typeof modelOf>,
  engineRan: boolean,
): void => {
  const { photos, verdicts, quarantined, seconds, engine: ran } = summary;
  const rate = (count: number) => (seconds > 0 ? count / seconds : 0);
  const done = photos.judged + photos.cached;
  if (options.json) {
    printDocument(scanDocumentSchema, {
      run: summary.run.id,
      photos,
      verdicts,
      quarantined: quarantined.map(({ path, reason }) => ({
        path,
        reason: quarantineText(reason),
        reasonCode: reason.code,
      })),
      seconds,
      photosPerSecond: rate(done),
      pairsPerSecond: rate(summary.pairs),
      latencyMs: latencyOf(summary.latenciesMs),
      batch: {
        mode: options.batch.mode,
        mean: ran?.stats.meanBatch ?? null,
        max: ran?.stats.largestBatch ?? null,
      },
      device: deviceOf(options.device.kind, ran?.info ?? null),
      precision: precisionOf(ran?.info ?? null),
      model,
      degradation: summary.degradation.map(({ code, cause, since, until }) => ({
        code,
        cause,
        since: new Date(since).toISOString(),
        until: until === null ? null : new Date(until).toISOString(),
      })),
    });
    return;
  }
  if (photos.found === 0) {
    note(`No photos were found${photos.ignored > 0 ? ' (other files were)' : ''}.`);
    return;
  }
  print(
    `${photos.found} photos: ${photos.judged} judged, ${photos.cached} known already, ${photos.quarantined} quarantined.`,
  );
  print(`Verdicts: ${verdicts.yes} yes, ${verdicts.no} no, ${verdicts.maybe} maybe.`);
  for (const { path, reason } of quarantined) print(`  ${path}: ${quarantineText(reason)}`);
  for (const { code, cause, until } of summary.degradation) {
    print(`  ${degradationText(code, cause)}${until === null ? '' : ', for a while'}.`);
  }
  const where = ran
    ? ` on ${ran.info.device.used} (proved), ${ran.info.precision}`
    : engineRan
      ? ''
      : ', no model was run';
  print(`${seconds.toFixed(1)} s, ${rate(done).toFixed(1)} photos/s with ${model.id} ${model.version}${where}.`);
  print('See them with: vouch verdicts --wants-review');
};
