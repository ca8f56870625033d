/** `vouch review` and `vouch undo`: a person's decisions, and their audit trail. */
import { dirname } from 'node:path';
import { type Command, Option } from 'commander';
import { openEvents } from '../app/events.ts';
import { nothingToUndo, openReviews, type Reviews } from '../app/reviews.ts';
import { exportDocumentSchema, reviewDocumentSchema } from '../contract/cli.ts';
import { vouchError } from '../contract/error.ts';
import { type Label, labels } from '../contract/labels.ts';
import { type Decision, longestNote } from '../contract/review.ts';
import { safeOutput } from '../export/guard.ts';
import { VouchFailure } from '../failure.ts';
import { writeReviewLog } from '../review/review-log.ts';
import { reviewerName } from '../review/reviewer.ts';
import { readSettings } from '../settings.ts';
import type { FlagRecord, Store, StoredReview } from '../store/types.ts';
import { decisionsDocument, undoneDocument } from '../words/review-documents.ts';
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

const decisionOf = ({ confirm, label, skip, note }: ReviewOptions): Decision => {
  const given = [confirm, label, skip].filter((option) => option !== undefined).length;
  if (given !== 1) return usage('give one of --confirm, --label and --skip');
  if (note !== undefined && note.length > longestNote) return usage(`a note has at most ${longestNote} characters`);
  if (label) return { kind: 'override', label, note };
  return { kind: confirm ? 'confirm' : 'skip', note };
};

const reviewsOf = (store: Store, { core }: CommandSession): Reviews =>
  openReviews({ store, events: openEvents(), reviewer: () => reviewerName(readSettings(core.home.settings)) });

const decide = async (session: CommandSession, id: string | undefined, options: ReviewOptions): Promise<void> => {
  if (id === undefined) return usage('name the verdict to decide on by its id; vouch queue lists them');
  const decision = decisionOf(options);
  const { blind = false } = options;
  const made = await session.withStore('write', (store) => reviewsOf(store, session).decide([id], decision, { blind }));
  if (options.json) printDocument(reviewDocumentSchema, decisionsDocument(made));
  else sayDecisions(made);
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
      withSession(entry, options, (session) =>
        session.withStore('write', async (store) => {
          const undone = await reviewsOf(store, session).undo(1);
          const document = await undoneDocument(store, undone);
          if (!document) return usage(nothingToUndo);
          if (options.json) return printDocument(reviewDocumentSchema, document);
          sayDecisions(undone.decisions);
          sayFlags(undone.flags);
        }),
      ),
    );
};

const sayDecisions = (records: readonly StoredReview[]): void => {
  for (const { kind, path, statement, after } of records)
    print(`${kind} ${path}: "${statement}" is ${after ?? 'open'}`);
};

const sayFlags = (flags: readonly FlagRecord[]): void => {
  for (const { path, statement, set } of flags) {
    print(`undo ${path}: ${statement === null ? 'the photo' : `"${statement}"`} is ${set ? '' : 'not '}flagged`);
  }
};
