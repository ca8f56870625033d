/** `vouch verdicts`: lists what was decided. */
import { type Command, Option } from 'commander';
import { verdictsDocumentSchema } from '../contract/cli.ts';
import { type Grade, grades, type Label, labels } from '../contract/labels.ts';
import { StoreFailure } from '../store/errors.ts';
import type { VerdictFilter, VerdictPage } from '../store/types.ts';
import { verdictItem } from './documents.ts';
import { common, positiveInteger } from './options.ts';
import { note, print, printDocument } from './output.ts';
import { type CommonOptions, withSession } from './session.ts';
import { reasonText } from './words.ts';

type VerdictsOptions = CommonOptions &
  Readonly<{
    label?: Label;
    grade?: Grade;
    statement?: string;
    path?: string;
    wantsReview?: boolean;
    limit: number;
  }>;

const none: VerdictPage = { total: 0, items: [], next: null };

export const addVerdicts = (program: Command, entry: string): void => {
  common(program.command('verdicts'))
    .summary('list verdicts')
    .description('Lists current verdicts, newest first. --label means the effective label, a review included.')
    .addOption(new Option('--label <label>', 'only this label').choices(labels))
    .addOption(new Option('--grade <grade>', 'only this grade').choices(grades))
    .option('--statement <text>', 'only this statement, by text or id')
    .option('--path <glob>', 'only photos whose path fits, such as "**/2026/*.jpg"')
    .option('--wants-review', 'only what a person should look at')
    .option('--limit <n>', 'how many at most', positiveInteger, 100)
    .action((options: VerdictsOptions) =>
      withSession(entry, options, async (session) => {
        const { label, grade, statement, path, wantsReview } = options;
        const filter: VerdictFilter = {
          ...(label && { label }),
          ...(grade && { grade }),
          ...(statement && { statement }),
          ...(path && { path }),
          ...(wantsReview && { wantsReview }),
        };
        const page = await session
          .withStore('read', (store) => store.verdicts.list(filter, { limit: options.limit }))
          .catch((error) => {
            if (error instanceof StoreFailure && error.error.code === 'store_missing') return none;
            throw error;
          });
        if (options.json) {
          printDocument(verdictsDocumentSchema, { total: page.total, items: page.items.map(verdictItem) });
          return;
        }
        for (const item of page.items) {
          const confidence = item.confidence === null ? '    ' : item.confidence.toFixed(2);
          print(`${item.effectiveLabel.padEnd(5)} ${confidence} ${item.grade.padEnd(6)} ${item.path}`);
          print(`      "${item.statement}": ${reasonText(item.reason)}`);
        }
        note(
          page.total === 0
            ? 'Nothing fits. Judge photos first with: vouch scan'
            : `${page.items.length} of ${page.total}`,
        );
      }),
    );
};
