/** `vouch verdicts`: lists what was decided. */
import type { Command } from 'commander';
import { verdictsDocumentSchema } from '../contract/cli.ts';
import { StoreFailure } from '../store/errors.ts';
import type { VerdictPage } from '../store/types.ts';
import { verdictItem } from './documents.ts';
import { common, positiveInteger } from './options.ts';
import { note, print, printDocument } from './output.ts';
import { type CommonOptions, withSession } from './session.ts';
import { type FilterOptions, filterFrom, filtering } from './verdict-filter.ts';
import { reasonText } from './words.ts';

type VerdictsOptions = CommonOptions & FilterOptions & Readonly<{ limit: number }>;

const none: VerdictPage = { total: 0, items: [], next: null };

export const addVerdicts = (program: Command, entry: string): void => {
  filtering(common(program.command('verdicts')))
    .summary('list verdicts')
    .description('Lists current verdicts, newest first. --label means the effective label, a review included.')
    .option('--limit <n>', 'how many at most', positiveInteger, 100)
    .action((options: VerdictsOptions) =>
      withSession(entry, options, async (session) => {
        const page = await session
          .withStore('read', (store) => store.verdicts.list(filterFrom(options), { limit: options.limit }))
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
