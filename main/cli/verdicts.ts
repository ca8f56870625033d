/** `vouch verdicts`: lists what was decided. */
import type { Command } from 'commander';
import { verdictsDocumentSchema } from '../contract/cli.ts';
import { verdictsDocument } from '../documents/documents.ts';
import { reasonText } from '../words/english.ts';
import { common, positiveInteger } from './options.ts';
import { note, print, printDocument } from './output.ts';
import { type CommonOptions, withSession } from './session.ts';
import { type FilterOptions, filterFrom, filtering, listVerdicts } from './verdict-filter.ts';

type VerdictsOptions = CommonOptions & FilterOptions & Readonly<{ limit: number }>;

export const addVerdicts = (program: Command, entry: string): void => {
  filtering(common(program.command('verdicts')))
    .summary('list verdicts')
    .description('Lists current verdicts, newest first. --label means the effective label, a review included.')
    .option('--limit <n>', 'how many at most', positiveInteger, 100)
    .action((options: VerdictsOptions) =>
      withSession(entry, options, async (session) => {
        const page = await listVerdicts((use) => session.withStore('read', use), filterFrom(options), options.limit);
        if (options.json) {
          printDocument(verdictsDocumentSchema, verdictsDocument(page));
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
