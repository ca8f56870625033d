/** `vouch bench`: how many photos at once, and how long each takes. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type BenchDocument, benchDocumentSchema } from '../contract/cli.ts';
import { keepBench, measureTables } from '../measure/bench-tables.ts';
import { measureServer } from '../measure/measure-server.ts';
import { tryPrecisions } from '../measure/precision-trial.ts';
import { common, type EngineOptions, engine, judgingOptionsFrom, positiveInteger } from './options.ts';
import { note, print, printDocument } from './output.ts';
import { openProgress, type Progress } from './progress.ts';
import { type CommandSession, type CommonOptions, withSession } from './session.ts';

type BenchOptions = CommonOptions &
  EngineOptions &
  Readonly<{ batches?: readonly number[]; concurrency: readonly number[]; server?: URL; token?: string }>;

const usual = [1, 2, 4, 8];
const largest = 64;

const list = (value: string): readonly number[] => {
  const numbers = value.split(',').map(positiveInteger);
  if (numbers.some((number) => number > largest)) throw new InvalidArgumentError(`Give numbers from 1 to ${largest}.`);
  return [...new Set(numbers)].toSorted((a, b) => a - b);
};

const httpUrl = (value: string): URL => {
  const url = URL.parse(value);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new InvalidArgumentError('Give an address such as http://127.0.0.1:8478.');
  }
  return url;
};

export const addBench = (program: Command, entry: string): void => {
  engine(common(program.command('bench')))
    .summary('measure batch sizes and clients on this machine')
    .description(
      'Measures the pack on the bundled samples: photos per second and latency by batch size and by number of clients,\n' +
        'and the knee, the smallest batch that is as good as the best and in time. With --precision auto it first finds\n' +
        'out, once per pack and device, which precision is fastest here and agrees with fp32; scans then use it.\n\n' +
        'With --server it sends the samples to a running vouch serve instead and measures what its clients see, HTTP\n' +
        'included. There the table of clients is all: pack, device and batches are the server’s own, so batches are\n' +
        'empty, the knee is null, and so is memory. Nothing is kept.',
    )
    .option('--batches <sizes>', 'batch sizes, as in 1,2,4,8 (default: 1,2,4,8 up to what the pack allows)', list)
    .option('--concurrency <clients>', 'numbers of clients, as in 1,2,4,8', list, usual)
    .addOption(
      new Option('--server <url>', 'measure this server instead, such as http://127.0.0.1:8478')
        .argParser(httpUrl)
        .conflicts(['batches', 'model', 'device', 'precision']),
    )
    .addOption(new Option('--token <token>', "the server's token").env('VOUCH_TOKEN'))
    .addHelpText(
      'after',
      '\nExamples:\n  vouch bench --batches 1,2,4,8 --concurrency 1,2,4,8\n' +
        '  VOUCH_TOKEN=... vouch bench --server http://127.0.0.1:8478 --concurrency 1,8',
    )
    .action((options: BenchOptions) =>
      withSession(entry, options, (session) =>
        options.server ? benchServer(session, options, options.server) : runCommand(session, options),
      ),
    );
};

const runCommand = async (session: CommandSession, options: BenchOptions): Promise<void> => {
  const { core, signal } = session;
  const judgingOptions = judgingOptionsFrom(options, { prescreen: false });
  if (judgingOptions.precision === 'auto') {
    const { choice, fresh } = await tryPrecisions(core, judgingOptions, signal);
    for (const { precision, perSecond, agreement } of fresh ? choice.trials : []) {
      note(`${precision}: ${perSecond.toFixed(1)} photos/s, ${(100 * agreement).toFixed(1)} % of the labels of fp32`);
    }
  }
  await session.withJudging(judgingOptions, async (judging) => {
    const running = await judging.engine();
    const most = Math.max(...judging.pack.manifest.inputs.map(({ maxBatch }) => maxBatch));
    const progress = openProgress('Measuring');
    const tables = await measureTables(running, core.samples(), {
      sizes: options.batches ?? usual.filter((size) => size <= most),
      clients: options.concurrency,
      batch: judgingOptions.batch,
      maxDelayMs: judging.options.maxDelayMs,
      ladder: judging.options.ladder,
      signal,
      onRow: onRowOf(progress),
    }).finally(() => progress.end());
    const { precision } = keepBench(core.home, judging.pack, running, tables);
    if (options.json) printDocument(benchDocumentSchema, tables);
    else printTables(tables, precision);
  });
};

/** Rows are measured for as long as it takes: there is no rate to tell, and no end. */
const onRowOf =
  (progress: Progress) =>
  (done: number, total: number): void =>
    progress.update({ done, total, perSecond: 0, etaMs: null, extra: '' });

const benchServer = async ({ core, signal }: CommandSession, options: BenchOptions, url: URL): Promise<void> => {
  const { token = null, concurrency: clients } = options;
  const progress = openProgress('Measuring');
  const tables = await measureServer(core.samples(), {
    ...{ url, token, clients, signal },
    onRow: onRowOf(progress),
  }).finally(() => progress.end());
  if (options.json) return printDocument(benchDocumentSchema, tables);
  print(`${url.href} judges on ${tables.provider}:`);
  printClients(tables);
};

const columns = ['mean ms', 'p50', 'p95', 'p99', 'photos/s', 'MB', 'device MB', 'failed'];
const width = 10;

type Row = BenchDocument['concurrency'][number] | BenchDocument['batches'][number];
const line = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(width)).join('');
const cells = ({ meanMs, p50, p95, p99, perSecond, rssMb, deviceMemoryMb, failures }: Row): readonly string[] => [
  ...[meanMs, p50, p95, p99].map((ms) => ms.toFixed(0)),
  perSecond.toFixed(1),
  rssMb?.toFixed(0) ?? '-',
  deviceMemoryMb?.toFixed(0) ?? '-',
  String(failures),
];

const printClients = ({ concurrency }: BenchDocument): void => {
  print(line(['clients', ...columns]));
  for (const row of concurrency) print(line([String(row.clients), ...cells(row)]));
};

const printTables = (tables: BenchDocument, precision: string): void => {
  const { batches, knee, provider } = tables;
  print(`On ${provider} in ${precision}:`);
  print(line(['batch', ...columns]));
  for (const row of batches) print(line([String(row.size), ...cells(row)]));
  printClients(tables);
  print(knee === null ? 'No batch size keeps within the time limit.' : `Knee: ${knee} (vouch scan --batch ${knee})`);
};
