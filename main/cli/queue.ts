/** `vouch queue`: what wants a person's decision. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { verdictsDocumentSchema } from '../contract/cli.ts';
import {
  type QueueItem,
  type QueueName,
  type QueueOrder,
  type QueuePage,
  queueNames,
  queueOrders,
} from '../contract/review.ts';
import { queueDocument } from '../documents/review-documents.ts';
import { failedWith } from '../failure.ts';
import { queueItems } from '../review/queue-items.ts';
import type { Store } from '../store/types.ts';
import { reasonText } from '../words/english.ts';
import { common, positiveInteger } from './options.ts';
import { note, print, printDocument } from './output.ts';
import { type CommonOptions, withSession } from './session.ts';

type QueueOptions = CommonOptions &
  Readonly<{ name: QueueName; order: QueueOrder; set?: string; under?: string; draw?: number; limit: number }>;

const none: QueuePage = { total: 0, items: [], next: null, atLeast: false };

export const addQueue = (program: Command, entry: string): void => {
  common(program.command('queue'))
    .summary('list what wants a review')
    .description(
      'Lists pairs of photo and statement for a person to decide on; decide with vouch review ID.\n\n' +
        '  review         all that want a review\n' +
        '  threshold      confidence within .1 of what decides\n' +
        '  flagged        sent to spot-check by a person or by their statement\n' +
        '  damaged        the photo could be read only in part\n' +
        '  degraded       judged while the engine was under pressure\n' +
        '  audit          a random sample, to be reviewed without seeing the answer\n' +
        '  disagreements  packs, or a person and a later verdict, contradict each other',
    )
    .addOption(new Option('--name <name>', 'which queue').choices(queueNames).default('review'))
    .addOption(new Option('--order <order>', 'what comes first').choices(queueOrders).default('uncertain'))
    .option('--set <name>', 'only statements of this set')
    .option('--under <folder>', 'only photos below this folder')
    .option('--draw <n>', 'first draw so many pairs at random into the audit', positiveInteger)
    .option('--limit <n>', 'how many at most', positiveInteger, 100)
    .addHelpText(
      'after',
      '\nExamples:\n  vouch queue\n  vouch queue --name audit --draw 60\n  vouch queue --name flagged --order folder --json',
    )
    .action((options: QueueOptions) =>
      withSession(entry, options, async (session) => {
        const page = await session
          .withStore(options.draw ? 'write' : 'read', (store) => readQueue(store, options))
          .catch((error) => {
            if (failedWith(error, 'store_missing')) return none;
            throw error;
          });
        if (options.json) {
          printDocument(verdictsDocumentSchema, queueDocument(page));
          return;
        }
        for (const item of page.items) printItem(item, options.name === 'audit');
        const more = page.atLeast ? '+' : '';
        note(page.total === 0 ? 'Nothing waits here.' : `${page.items.length} of ${page.total}${more}`);
      }),
    );
};

const readQueue = async (store: Store, { name, order, set, under, draw, limit }: QueueOptions): Promise<QueuePage> => {
  if (draw) {
    const { drawn, waiting } = await store.queues.draw(draw, Date.now());
    note(`${drawn} drawn into the audit; ${waiting} wait there.`);
  }
  const scope = { ...(set !== undefined && { setId: set }), ...(under !== undefined && { folderId: resolve(under) }) };
  return queueItems(store, { queue: name, scope, order, limit });
};

/** In the audit the model's answer stays hidden, and so does a statement's own flag, which tells it. */
const printItem = (item: QueueItem, blind: boolean): void => {
  const confidence = item.confidence === null ? '    ' : item.confidence.toFixed(2);
  const answer = blind ? '' : `${item.effectiveLabel.padEnd(5)} ${confidence} ${item.grade.padEnd(6)} `;
  print(`${item.verdictId} ${answer}${item.path}`);
  print(`      "${item.statement}"${blind ? '' : `: ${reasonText(item.reason)}`}`);
  const flags = item.flags.filter(({ by }) => by !== null || !blind);
  for (const { reason, by } of flags) print(`      flagged by ${by ?? 'its statement'}${reason && `: ${reason}`}`);
};
