import { type MouseEvent, memo, useMemo, useRef } from 'react';
import type { QueueItem } from '../../main/contract/review.ts';
import { commandOf } from '../commands/bindable.ts';
import { useCommands } from '../commands/registry.ts';
import { useWords } from '../i18n/index.ts';
import { PhotoCell } from '../photo/cell.tsx';
import { type CellPlace, PhotoGrid } from '../photo/grid.tsx';
import { PhotoMarks } from '../photo/marks.tsx';
import { Button } from '../ui/button.tsx';
import { VerdictChip } from '../ui/chip.tsx';
import { EmptyState } from '../ui/states.tsx';
import { setMode } from './actions.ts';
import { loadAhead, loadAll, loadMore, openQueue, showItem } from './queue.ts';
import { all, nothingSelected, only, rangeTo, type Selection, toggled } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { atHand, isHidden, useReview } from './state.ts';
import { openItems } from './worklist.ts';

/** What is left to decide, many at a time. */
export const ReviewGrid = () => {
  const { t } = useWords();
  const decided = useReview((state) => openItems(state.worklist).length === 0);
  if (!decided) return <Pairs />;
  return (
    <EmptyState
      title={t('review.end', { count: 0 })}
      action={<Button onPress={() => void openQueue()}>{t('review.again')}</Button>}
    />
  );
};

const idOf = ({ verdictId }: QueueItem): string => verdictId;
const openIds = (): readonly string[] => openItems(useReview.getState().worklist).map(idOf);
const select = (selection: Selection): void => useReview.setState({ selection });

const showFocused = (verdictId: string): void => {
  showItem(verdictId);
  setMode('focus');
};

/** A click selects one item, with Ctrl one more or one less, with Shift all from the anchor on. */
const pick = ({ verdictId }: QueueItem, { shiftKey, ctrlKey, metaKey }: MouseEvent): void => {
  const { selection } = useReview.getState();
  if (shiftKey) select(rangeTo(selection, verdictId, openIds()));
  else select(ctrlKey || metaKey ? toggled(selection, verdictId) : only(verdictId));
  showItem(verdictId);
};

const useGridCommands = (current: string | undefined): void => {
  const anySelected = useReview((state) => state.selection.ids.size > 0);
  const onCurrent = (work: (id: string) => void) => () => current !== undefined && work(current);
  useCommands('review grid', [
    commandOf(
      'review select',
      onCurrent((id) => select(toggled(useReview.getState().selection, id))),
    ),
    commandOf('review select all', () => void loadAll().then(() => select(all(openIds())))),
    commandOf('review open', onCurrent(showFocused)),
    {
      id: 'review select none',
      text: 'command.review.selectNone',
      group: 'review',
      enabled: anySelected,
      keys: ['Escape'],
      run: () => select(nothingSelected),
    },
  ]);
};

const statementLine = 22;

/** One tab stop, which has the focus from the start; arrows move, Shift and Ctrl select. */
const Pairs = () => {
  const { t } = useWords();
  const worklist = useReview((state) => state.worklist);
  const selection = useReview((state) => state.selection);
  const next = useReview((state) => state.next);
  const hidden = useReview(isHidden);
  const named = useReview((state) => state.scope.statementIds?.length !== 1);
  const current = useReview((state) => atHand(state)?.verdictId);
  const box = useRef<HTMLDivElement>(null);
  const items = useMemo(() => openItems(worklist), [worklist]);
  const index = useMemo(() => items.findIndex(({ verdictId }) => verdictId === current), [items, current]);
  useGridCommands(current);

  const move = (at: number, extend: boolean) => {
    const item = items[at];
    if (!item) return;
    if (extend && current !== undefined)
      select(rangeTo(selection.anchor === null ? only(current) : selection, item.verdictId, openIds()));
    showItem(item.verdictId);
  };
  return (
    <div className="review-grid">
      <PhotoGrid
        label={t('review.grid')}
        box={box}
        items={items}
        idOf={idOf}
        total={items.length}
        index={index}
        current={current ?? null}
        lineBeneath={named ? statementLine : 0}
        takesFocus
        multiple
        onMove={move}
        onDrawn={(end) => {
          if (next !== null && end + loadAhead >= items.length) void loadMore();
        }}
        cell={(item, place) =>
          item && (
            <PairCell
              item={item}
              named={named}
              hidden={hidden}
              selected={selection.ids.has(item.verdictId)}
              {...place}
            />
          )
        }
      />
      <SelectionBar />
    </div>
  );
};

/** Only a statement's own rule flags it, which tells the answer. */
const isByRule = ({ flags }: QueueItem): boolean => flags.length > 0 && flags.every(({ by }) => by === null);

type CellProps = CellPlace & Readonly<{ item: QueueItem; named: boolean; hidden: boolean; selected: boolean }>;

const PairCell = memo(({ item, named, hidden, selected, ...place }: CellProps) => {
  const { format } = useWords();
  return (
    <PhotoCell
      photo={item}
      place={place}
      selected={selected}
      marks={<PhotoMarks damaged={item.damaged} flagged={item.flagged && !(hidden && isByRule(item))} />}
      foot={
        !hidden && (
          <>
            <VerdictChip label={item.label} grade={item.grade} />
            {item.confidence !== null && <span className="plate num end">{format.score(item.confidence)}</span>}
          </>
        )
      }
      beneath={
        named && (
          <div className="clip asked" title={item.statement}>
            {item.statement}
          </div>
        )
      }
      onClick={(event) => pick(item, event)}
      onDoubleClick={() => showFocused(item.verdictId)}
    />
  );
});
