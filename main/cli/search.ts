/** `vouch search TEXT`: photos that fit a text best, from cached evidence. */
import type { Command } from 'commander';
import { searchDocumentSchema } from '../contract/cli.ts';
import { failedWith } from '../failure.ts';
import { type FoundPhotos, searchPhotos } from '../review/search.ts';
import { common, judgingOptionsFrom, positiveInteger } from './options.ts';
import { note, print, printDocument } from './output.ts';
import { type CommonOptions, withSession } from './session.ts';

type SearchOptions = CommonOptions & Readonly<{ model: string; limit: number }>;

const none: FoundPhotos = { items: [], searched: 0, notChecked: [] };

export const addSearch = (program: Command, entry: string): void => {
  common(program.command('search'))
    .summary('find photos by a text')
    .description(
      'Lists the photos that fit a text best, best first, from what the model has seen in them before: nothing is\n' +
        "inferred and nothing stored. The score is the model's own, from 0 to 1.",
    )
    .argument('<text>', 'what to look for')
    .option('--model <id>', 'model pack whose evidence to search', 'concept-en')
    .option('--limit <n>', 'how many at most', positiveInteger, 100)
    .addHelpText('after', '\nExample:\n  vouch search "a dog on a beach" --limit 20')
    .action((text: string, options: SearchOptions) =>
      withSession(entry, options, async (session) => {
        const judgingOptions = judgingOptionsFrom(
          { ...options, device: { kind: 'auto', index: 0 }, precision: 'auto' },
          { prescreen: true },
        );
        const found = await session
          .withStore('read', (store) =>
            session.withJudging(judgingOptions, (judging) =>
              searchPhotos(store, judging, session.core.home.root, text, options.limit),
            ),
          )
          .catch((error) => {
            if (failedWith(error, 'store_missing')) return none;
            throw error;
          });
        if (options.json) {
          printDocument(searchDocumentSchema, { items: [...found.items] });
          return;
        }
        for (const { path, score } of found.items) print(`${score.toFixed(3)} ${path}`);
        if (found.notChecked.length > 0) note(`Cannot be checked here: ${found.notChecked.join(', ')}.`);
        note(
          found.searched === 0
            ? 'No photo has evidence yet. Judge photos first with: vouch scan'
            : `${found.searched} photos searched`,
        );
      }),
    );
};
