import { Button } from 'react-aria-components';
import type { QueueCount } from '../../main/contract/review.ts';
import { useQueues } from '../data/review.ts';
import { useWords } from '../i18n/index.ts';
import { Count } from '../ui/count.tsx';
import { openQueue } from './queue.ts';
import { shownQueues } from './queues.ts';
import { useReview } from './state.ts';

/** The queues with their counts, under Review in the rail. */
export const QueueEntries = () => {
  const { t } = useWords();
  const view = useReview((state) => state.view);
  const current = useReview((state) => state.queue);
  const queues = useQueues().data;
  const here = (name: QueueCount['name']) =>
    (view === 'queue' && name === current) || (view === 'try' && name === 'flagged');
  return (
    <>
      {shownQueues(queues, current).map(({ name, count, atLeast }) => (
        <Button
          key={name}
          className="nav sub"
          data-testid="entry"
          aria-current={here(name) ? 'true' : undefined}
          onPress={() => void openQueue({ queue: name })}
        >
          <span className="clip">{t(`queue.${name}`)}</span>
          <Count of={count} atLeast={atLeast} />
        </Button>
      ))}
      <Button
        className="nav sub"
        data-testid="entry"
        aria-current={view === 'quality' ? 'true' : undefined}
        onPress={() => useReview.setState({ view: 'quality' })}
      >
        <span className="clip">{t('quality.title')}</span>
      </Button>
    </>
  );
};
