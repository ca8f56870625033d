import './review.css';
import { useDeferredValue, useEffect } from 'react';
import { useKeyOf } from '../commands/bindable.ts';
import { useFolders, useSettings } from '../data/queries.ts';
import { useQueueCount } from '../data/review.ts';
import { useWords } from '../i18n/index.ts';
import { NoPhotos } from '../photo/no-photos.tsx';
import { Button } from '../ui/button.tsx';
import { Screen } from '../ui/screen.tsx';
import { EmptyState, Failure, Progress } from '../ui/states.tsx';
import { undoLast } from './actions.ts';
import { BringBack } from './bring-back.tsx';
import { useQueueCommands } from './commands.ts';
import { DecisionPanel } from './decision-panel.tsx';
import { FocusStage } from './focus.tsx';
import { QualityView } from './quality-view.tsx';
import { openQueue } from './queue.ts';
import { QueueBar, SpotCheckTabs } from './review-bar.tsx';
import { ReviewGrid } from './review-grid.tsx';
import { atHand, useReview } from './state.ts';
import { TryView } from './try-view.tsx';

export const ReviewScreen = () => {
  const view = useReview((state) => state.view);
  if (view === 'quality') return <QualityView />;
  if (view === 'try') return <TryView />;
  return <Queue />;
};

const Queue = () => {
  const { t } = useWords();
  const queue = useReview((state) => state.queue);
  const mode = useReview((state) => state.mode);
  const status = useReview((state) => state.status);
  const failure = useReview((state) => state.failure);
  const filled = useReview((state) => state.worklist.items.length > 0);
  const onItem = useReview((state) => atHand(state) !== undefined);
  const inspector = useSettings().view.inspector;
  useQueueCommands();
  useEffect(() => {
    if (useReview.getState().status === 'idle') void openQueue();
  }, []);
  const side = inspector && onItem && (
    <aside className="inspector decide" aria-label={t('review.panel')}>
      <Panel />
    </aside>
  );
  return (
    <Screen
      title={t(`queue.${queue}`)}
      bar={
        <>
          {queue === 'flagged' && <SpotCheckTabs />}
          <QueueBar />
        </>
      }
      inspector={side || undefined}
    >
      {status === 'failed' && failure ? (
        <div className="content padded">
          <Failure failure={failure} retry={() => void openQueue()} />
        </div>
      ) : filled ? (
        mode === 'focus' ? (
          <FocusStage />
        ) : (
          <ReviewGrid />
        )
      ) : status === 'ready' ? (
        <NothingToReview />
      ) : (
        <div className="content padded">
          <Progress label={t('review.loading')} share={null} />
        </div>
      )}
    </Screen>
  );
};

/** Follows the photo in a frame of its own. */
const Panel = () => {
  const worklist = useDeferredValue(useReview((state) => state.worklist));
  const mode = useReview((state) => state.mode);
  const item = atHand({ mode, worklist });
  return item && <DecisionPanel item={item} entry={worklist.decided.get(item.verdictId)} />;
};

const NothingToReview = () => {
  const { t } = useWords();
  const queue = useReview((state) => state.queue);
  const scoped = useReview((state) => Object.keys(state.scope).length > 0);
  const all = useQueueCount(queue);
  const folders = useFolders().data;
  const undoKey = useKeyOf('review undo');
  if (scoped && all && all.count > 0)
    return (
      <EmptyState
        title={t('review.emptyScope')}
        action={
          <Button kind="primary" onPress={() => void openQueue({ scope: {} })}>
            {t('review.wholeQueue', { count: all.count })}
          </Button>
        }
      >
        {t('review.emptyScopeHint')}
      </EmptyState>
    );
  if (folders?.length === 0) return <NoPhotos />;
  return (
    <EmptyState
      title={t(`queueEmpty.${queue}`)}
      action={
        queue === 'audit' ? (
          <Button kind="primary" onPress={() => useReview.setState({ view: 'quality' })}>
            {t('review.toQuality')}
          </Button>
        ) : (
          <div className="end-actions">
            {queue === 'flagged' && (
              <Button kind="primary" onPress={() => useReview.setState({ view: 'try' })}>
                {t('try.title')}
              </Button>
            )}
            <BringBack />
            <Button onPress={undoLast} keys={undoKey}>
              {t('action.undo')}
            </Button>
          </div>
        )
      }
    >
      {t(`queueHint.${queue}`)}
    </EmptyState>
  );
};
