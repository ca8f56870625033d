/** `vouch review` and `vouch undo`: a person's decisions, and their audit trail. */
import { dirname } from 'node:path';
import { type Command, Option } from 'commander';
import { exportDocumentSchema, reviewDocumentSchema } from '../contract/cli.ts';
import { vouchError } from '../contract/error.ts';
import { type Label, labels } from '../contract/labels.ts';
import { longestNote } from '../contract/review.ts';
import { safeOutput } from '../export/guard.ts';
import { VouchFailure } from '../failure.ts';
import { writeReviewLog } from '../review/review-log.ts';
import { reviewerName } from '../review/reviewer.ts';
import { undoLast } from '../review/undo.ts';
import { readSettings } from '../settings.ts';
import type { FlagRecord, NewReview, Store, StoredReview } from '../store/types.ts';
import { folderAt } from './given.ts';
import { common } from './options.ts';
import { print, printDocument } from './output.ts';
import { type CommandSession, type CommonOptions, withSession } from './session.ts';

type ReviewOptions = CommonOptions &
  Readonly<{ confirm?: boolean; label?: Label; skip?: boolean; note?: string; blind?: boolean; log?: string }>;

const usage = (problem: string): never => {
  throw new VouchFailure(vouchError('usage', { problem }));
};

export const addReview = (program: Command, entry: string): void => {
  common(program.command('review'))
    .summary("decide on a verdict, or write the decisions' audit trail")
    .description(
      'Decides on one pair of photo and statement, named by the id of a verdict on it (see vouch queue). The verdict\n' +
        'stays as it was; the decision is what queues, lists and exports then go by. vouch undo takes it back.',
    )
    .argument('[id]', "a verdict's id")
    .option('--confirm', 'the verdict is right')
    .addOption(new Option('--label <label>', 'the right label').choices(labels))
    .option('--skip', 'no decision: hide the pair until its verdict changes')
    .option('--note <text>', 'why')
    .option('--blind', 'the answer was not seen; on a pair of the audit this feeds calibration and risk control')
    .option('--log <file>', 'instead of deciding, write the whole audit trail to FILE.csv or FILE.jsonl')
    .addHelpText(
      'after',
      '\nExamples:\n  vouch review 0192f3a0-0000-7000-8000-000000000000 --confirm\n' +
        '  vouch review 0192f3a0-0000-7000-8000-000000000000 --label no --note "a wolf"\n  vouch review --log reviews.csv',
    )
    .action((id: string | undefined, options: ReviewOptions) =>
      withSession(entry, options, (session) =>
        options.log === undefined ? decide(session, id, options) : writeLog(session, options.log, options),
      ),
    );
};

const decisionOf = ({ confirm, label, skip }: ReviewOptions): Pick<NewReview, 'kind' | 'label'> => {
  const given = [confirm, label, skip].filter((option) => option !== undefined).length;
  if (given !== 1) return usage('give one of --confirm, --label and --skip');
  if (label) return { kind: 'override', label };
  return { kind: confirm ? 'confirm' : 'skip' };
};

const decide = async (session: CommandSession, id: string | undefined, options: ReviewOptions): Promise<void> => {
  if (id === undefined) return usage('name the verdict to decide on by its id; vouch queue lists them');
  const decision = decisionOf(options);
  const { note, blind = false } = options;
  if (note !== undefined && note.length > longestNote) return usage(`a note has at most ${longestNote} characters`);
  const reviewer = reviewerName(readSettings(session.core.home.settings));
  const made = await session.withStore('write', (store) =>
    store.reviews.add([{ verdict: id }], { ...decision, ...(note && { note }), reviewer, blind, at: Date.now() }),
  );
  tell(made, options);
};

const writeLog = async (session: CommandSession, file: string, options: ReviewOptions): Promise<void> => {
  const format = /\.(csv|jsonl)$/i.exec(file)?.[1]?.toLowerCase();
  if (format !== 'csv' && format !== 'jsonl') return usage('the audit trail goes to a .csv or a .jsonl file');
  const path = await safeOutput(file, session.core.home);
  await folderAt(dirname(path));
  const rows = await session.withStore('read', (store) => writeReviewLog(store, format, path));
  if (options.json) printDocument(exportDocumentSchema, { files: [path], rows });
  else print(`${rows} rows in ${path}.`);
};

export const addUndo = (program: Command, entry: string): void => {
  common(program.command('undo'))
    .summary('take back the last decision or flag')
    .description(
      'Takes back the last thing you did, a decision or a flag, and all that was done with it at once. Once more goes\n' +
        'one step further.',
    )
    .addHelpText('after', '\nExample:\n  vouch undo --json')
    .action((options: CommonOptions) =>
      withSession(entry, options, async (session) => {
        const reviewer = reviewerName(readSettings(session.core.home.settings));
        await session.withStore('write', async (store) => {
          const { decisions, flags } = await undoLast(store, reviewer, Date.now());
          if (flags.length > 0) await tellFlags(store, flags, options);
          else if (decisions.length > 0) tell(decisions, options);
          else usage('there is no decision or flag of yours to take back');
        });
      }),
    );
};

const tell = (records: readonly StoredReview[], { json }: CommonOptions): void => {
  const first = records[0]!;
  const { id, kind, photo, statement, label, note, after } = first;
  if (json) {
    printDocument(reviewDocumentSchema, {
      ...{ id, kind, photo, statement, label, note },
      ...{ effectiveLabel: after, flagged: null },
      pairs: records.length,
      at: new Date(first.at).toISOString(),
    });
    return;
  }
  for (const record of records)
    print(`${record.kind} ${record.path}: "${record.statement}" is ${record.after ?? 'open'}`);
};

/** Flags as they are now that the last were taken back. */
const tellFlags = async (
  store: Store,
  flags: readonly FlagRecord[],
  { json }: Pick<CommonOptions, 'json'>,
): Promise<void> => {
  const [{ id, photo, statement, statementId, set, at }] = flags as [FlagRecord];
  if (json) {
    const of = statementId === null ? null : await store.verdicts.list({ photo, statement: statementId }, { limit: 1 });
    printDocument(reviewDocumentSchema, {
      ...{ id, kind: 'undo', photo, statement, label: null, note: null },
      effectiveLabel: of?.items[0]?.effectiveLabel ?? null,
      ...{ flagged: set, pairs: flags.length, at: new Date(at).toISOString() },
    });
    return;
  }
  for (const flag of flags)
    print(
      `undo ${flag.path}: ${flag.statement === null ? 'the photo' : `"${flag.statement}"`} is ${flag.set ? '' : 'not '}flagged`,
    );
};
