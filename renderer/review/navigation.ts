/** The review from anywhere: every queue, order and view by name, in the palette. */
import { queueNames, queueOrders } from '../../main/contract/review.ts';
import { type Command, useCommands } from '../commands/registry.ts';
import { useAnySkipped, useQueues } from '../data/review.ts';
import { useWords } from '../i18n/index.ts';
import { useScreen, useUi } from '../ui-state.ts';
import { bringBackSkipped } from './actions.ts';
import { openQueue } from './queue.ts';
import { shownQueues } from './queues.ts';
import { type ReviewView, useReview } from './state.ts';

const show = (view: ReviewView) => {
  useReview.setState({ view });
  useUi.getState().show('review');
};

export const useReviewNavigation = (): void => {
  const { t } = useWords();
  const anySkipped = useAnySkipped();
  const onReview = useScreen() === 'review';
  const shown = useReview(({ view }) => (onReview ? view : null));
  const asked = useReview(({ queue }) => queue);
  const ordered = useReview(({ order }) => order);
  const offered = new Set(shownQueues(useQueues().data, asked).map(({ name }) => name));
  const go = (id: string, plain: string, run: () => void, enabled = true): Command => ({
    id,
    text: { plain },
    group: 'review',
    run,
    enabled,
  });
  useCommands('review navigation', [
    ...queueNames.map((queue) =>
      go(
        `queue ${queue}`,
        t('palette.queue', { name: t(`queue.${queue}`) }),
        () => {
          show('queue');
          void openQueue({ queue });
        },
        offered.has(queue),
      ),
    ),
    ...queueOrders.map((order) =>
      go(
        `order ${order}`,
        t('palette.order', { name: t(`review.orderBy.${order}`) }),
        () => {
          show('queue');
          void openQueue({ order });
        },
        // The audit keeps its random order.
        asked !== 'audit' && !(shown === 'queue' && ordered === order),
      ),
    ),
    {
      id: 'review try',
      text: 'command.review.try',
      group: 'review',
      enabled: shown !== 'try',
      run: () => show('try'),
    },
    {
      id: 'review quality',
      text: 'command.review.quality',
      group: 'review',
      enabled: shown !== 'quality',
      run: () => show('quality'),
    },
    {
      id: 'review bring back',
      text: 'command.review.bringBack',
      group: 'review',
      enabled: anySkipped,
      run: bringBackSkipped,
    },
  ]);
};
