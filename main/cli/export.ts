/** `vouch export`: writes verdicts to a file. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Command, Option } from 'commander';
import { exportDocumentSchema } from '../contract/cli.ts';
import { vouchError } from '../contract/error.ts';
import { type ExportFormat, exportEndings, exportFormats, type FileFormat } from '../contract/export.ts';
import { safeOutput } from '../export/guard.ts';
import { VouchFailure } from '../failure.ts';
import { exportTags } from '../library/tagging/export-tags.ts';
import { readSettings } from '../settings.ts';
import type { PairScope } from '../store/types.ts';
import { folderAt } from './given.ts';
import { common } from './options.ts';
import { note, print, printDocument } from './output.ts';
import { openProgress } from './progress.ts';
import { type CommandSession, type CommonOptions, withSession } from './session.ts';
import { type FilterOptions, filterFrom, filtering } from './verdict-filter.ts';

type ExportOptions = CommonOptions &
  FilterOptions &
  Readonly<{ format: ExportFormat; out?: string; reviewed?: boolean; dryRun?: boolean }>;

export const addExport = (program: Command, entry: string): void => {
  filtering(common(program.command('export')))
    .summary('write verdicts to a file')
    .description(
      'Writes current verdicts, with the effective label, a review included, to a file: comma-separated values for\n' +
        'spreadsheets, JSON Lines for programs, or COCO with image-level labels and scores. With --format xmp, tags of\n' +
        'statements become keywords in a sidecar beside each photo; what others wrote there stays.',
    )
    .addOption(new Option('--format <format>', 'what to write').choices(exportFormats).makeOptionMandatory())
    .option('--out <path>', 'where to write (else vouch-verdicts.* in this folder)')
    .option('--reviewed', 'only what a person has decided')
    .option('--dry-run', 'say what would be written, and write nothing')
    .addHelpText(
      'after',
      '\nExamples:\n  vouch export --format csv --out verdicts.csv\n' +
        '  vouch export --format jsonl --label yes --reviewed --out decided.jsonl\n' +
        '  vouch export --format xmp --dry-run',
    )
    .action((options: ExportOptions) => withSession(entry, options, (session) => runExport(session, options)));
};

const scopeOf = (options: ExportOptions): PairScope => ({
  kind: 'verdicts',
  filter: filterFrom(options),
  ...(options.reviewed && { reviewed: true }),
});

const runExport = (session: CommandSession, options: ExportOptions): Promise<void> =>
  options.format === 'xmp' ? runTags(session, options) : runFile(session, options, options.format);

const runTags = async ({ core, signal, withStore }: CommandSession, options: ExportOptions): Promise<void> => {
  if (options.out !== undefined) {
    throw new VouchFailure(vouchError('usage', { problem: 'Sidecars lie beside their photos; --out is for files.' }));
  }
  const rules = readSettings(core.home.settings).tags;
  const progress = openProgress('Tagging');
  const say = options.json ? note : print;
  const { files, rows, failed } = await withStore('write', (store) =>
    exportTags(store, rules, scopeOf(options), {
      signal,
      dryRun: options.dryRun ?? false,
      onChange: ({ sidecar, added, removed }) => {
        if (!options.dryRun) return;
        say(
          [sidecar, ...added.map((keyword) => `+ ${keyword}`), ...removed.map((keyword) => `- ${keyword}`)].join('  '),
        );
      },
      onProgress: ({ rows: done, total }) => progress.update({ done, total, perSecond: 0, etaMs: null, extra: '' }),
    }),
  ).finally(progress.end);
  for (const { sidecar, problem } of failed) note(`${sidecar}: ${problem}`);
  if (options.json) printDocument(exportDocumentSchema, { files: [...files], rows });
  else print(`${rows} tags; ${files.length} sidecars ${options.dryRun ? 'would change' : 'changed'}.`);
  if (failed.length > 0) {
    const [{ sidecar, problem }] = failed as [(typeof failed)[number]];
    throw new VouchFailure(vouchError('export_failed', { path: sidecar, detail: problem }));
  }
};

const runFile = async (session: CommandSession, options: ExportOptions, format: FileFormat): Promise<void> => {
  const out = await safeOutput(options.out ?? `vouch-verdicts.${exportEndings[format]}`, session.core.home);
  await folderAt(dirname(out));
  // Opening the store brings an older database up to date, which the export's own connection cannot.
  const planned = await session.withStore('read', (store) => store.verdicts.count(scopeOf(options)));
  if (options.dryRun) {
    const replaces = (await stat(out).catch(() => null))?.isFile() ?? false;
    note(`Would write ${planned} rows to ${out}${replaces ? ', replacing the file there' : ''}.`);
    if (options.json) printDocument(exportDocumentSchema, { files: [out], rows: planned });
    return;
  }
  const startedAt = performance.now();
  const progress = openProgress('Writing');
  const rows = await session.core
    .exportFile(
      { format, out, scope: scopeOf(options) },
      {
        signal: session.signal,
        onProgress: ({ rows: done, total }) => {
          const perMs = done / (performance.now() - startedAt);
          progress.update({ done, total, perSecond: 0, etaMs: (total - done) / perMs, extra: '' });
        },
      },
    )
    .finally(progress.end);
  if (options.json) printDocument(exportDocumentSchema, { files: [out], rows });
  else print(`${rows} rows in ${out}.`);
};
