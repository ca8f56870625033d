import { Check, Minus, X } from 'lucide-react';
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { QueueItem } from '../../main/contract/review.ts';
import { useKeyOf } from '../commands/bindable.ts';
import { prefetchPhoto, useSettings } from '../data/queries.ts';
import { useQueueCount } from '../data/review.ts';
import { useWords } from '../i18n/index.ts';
import { type CanvasPhoto, PhotoCanvas } from '../photo/canvas.tsx';
import { Film, type Frame } from '../photo/film.tsx';
import { Button } from '../ui/button.tsx';
import { VerdictChip } from '../ui/chip.tsx';
import { fileName } from '../ui/path.ts';
import { EmptyState } from '../ui/states.tsx';
import { undoLast } from './actions.ts';
import { BringBack } from './bring-back.tsx';
import { useFocusCommands } from './commands.ts';
import { goTo, openQueue, showItem } from './queue.ts';
import { isHidden, useReview } from './state.ts';
import { currentOf, type Entry, openItems, type Worklist } from './worklist.ts';

/** How many photos are drawn beneath the current one, decoded and ready. */
const ahead = 3;
const behind = 1;
const filmBefore = 4;
const filmAfter = 12;

/** The photo of an item and those around it, each once and in their order, so that a step moves no element. */
const neighbours = (items: readonly QueueItem[], at: number): readonly CanvasPhoto[] => [
  ...new Map(items.slice(Math.max(0, at - behind), at + 1 + ahead).map((item) => [item.photoId, item])).values(),
];

export const FocusStage = () => {
  const { t } = useWords();
  const worklist = useReview((state) => state.worklist);
  // The photo comes first; what lies around it follows in a frame of its own.
  const around = useDeferredValue(worklist);
  const queue = useReview((state) => state.queue);
  const inspector = useSettings().view.inspector;
  const stage = useRef<HTMLElement>(null);
  useFocusCommands();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another queue takes the focus back from the rail
  useLayoutEffect(() => stage.current?.focus({ preventScroll: true }), [queue]);
  const near = useMemo(() => neighbours(around.items, around.at), [around]);
  useEffect(() => {
    // The photo is painted first: what is asked for ahead must not be in its way.
    const timer = setTimeout(() => {
      for (const { photoId } of around.items.slice(around.at + 1, around.at + 3)) prefetchPhoto(photoId);
    }, 120);
    return () => clearTimeout(timer);
  }, [around]);
  const film = useMemo(() => filmOf(around), [around]);
  const item = currentOf(worklist);
  return (
    <section ref={stage} tabIndex={-1} className="stage" data-stage aria-label={t('photo.stage')}>
      {item ? (
        <div className="focus">
          <PhotoCanvas item={item} ahead={near} />
          {!inspector && <Caption item={item} />}
        </div>
      ) : (
        <EndOfQueue />
      )}
      <Film frames={film} current={currentOf(around)?.verdictId} align="start" onChoose={showItem} />
    </section>
  );
};

/** What is asked, over the photo, while the inspector is away. */
const Caption = ({ item }: Readonly<{ item: QueueItem }>) => {
  const hidden = useReview(isHidden);
  return (
    <div className="caption on-photo">
      <span className="say">{item.statement}</span>
      {!hidden && <VerdictChip label={item.label} grade={item.grade} />}
    </div>
  );
};

const signs = { yes: Check, no: X, maybe: Minus } as const;

const Decided = ({ entry }: Readonly<{ entry: Entry }>) => {
  const { t } = useWords();
  const Sign = entry.label ? signs[entry.label] : Minus;
  return (
    <span
      className={`done on-photo ${entry.label ?? 'skipped'}`}
      title={entry.label ? t(`label.${entry.label}`) : t('review.skipAction')}
    >
      <Sign aria-hidden />
    </span>
  );
};

const frameOf = (item: QueueItem, entry: Entry | undefined): Frame => ({
  id: item.verdictId,
  photoId: item.photoId,
  label: `${fileName(item.path)}, ${item.statement}`,
  mark: entry && <Decided entry={entry} />,
});

/** The queue around the current item; what is decided wears its label. */
const filmOf = ({ items, at, decided }: Worklist): readonly Frame[] =>
  items
    .slice(Math.max(0, Math.min(at, items.length - 1) - filmBefore), at + filmAfter)
    .map((item) => frameOf(item, decided.get(item.verdictId)));

const EndOfQueue = () => {
  const { t, format } = useWords();
  const worklist = useReview((state) => state.worklist);
  const queue = useReview((state) => state.queue);
  const hidden = useReview(isHidden);
  const left = useQueueCount(queue)?.count ?? 0;
  const open = openItems(worklist);
  const made = [...worklist.decided.values()];
  const confirmed = made.filter(({ kind }) => kind === 'confirm').length;
  const overridden = made.filter(({ kind }) => kind === 'override').length;
  const firstOpen = worklist.items.findIndex(({ verdictId }) => !worklist.decided.has(verdictId));
  return (
    <EmptyState
      title={t(open.length > 0 ? 'review.endWithOpen' : 'review.end', { count: open.length })}
      action={
        <div className="end-actions">
          {open.length > 0 && (
            <Button kind="primary" onPress={() => goTo(firstOpen)}>
              {t('review.toOpen')}
            </Button>
          )}
          {open.length === 0 && left > 0 && (
            <Button kind="primary" onPress={() => void openQueue()}>
              {t('review.loadAgain', { count: left })}
            </Button>
          )}
          <BringBack />
          <Button onPress={undoLast} keys={useKeyOf('review undo')}>
            {t('action.undo')}
          </Button>
        </div>
      }
    >
      {t(hidden ? 'review.endSummaryBlind' : 'review.endSummary', {
        decided: format.integer(confirmed + overridden),
        confirmed: format.integer(confirmed),
        overridden: format.integer(overridden),
        skipped: format.integer(made.length - confirmed - overridden),
      })}
    </EmptyState>
  );
};
