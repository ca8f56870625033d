import { useVirtualizer } from '@tanstack/react-virtual';
import { Check } from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { previewUrl } from '../../main/contract/preview.ts';
import type { QueueItem } from '../../main/contract/review.ts';
import { useCommands } from '../commands/registry.ts';
import { useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { gridLayout, moved } from '../results/layout.ts';
import { PhotoMarks } from '../results/photo-marks.tsx';
import { Button } from '../ui/button.tsx';
import { VerdictChip } from '../ui/chip.tsx';
import { fileName } from '../ui/path.ts';
import { EmptyState } from '../ui/states.tsx';
import { useUi } from '../ui-state.ts';
import { reviewCommand } from './keys.ts';
import { all, only, rangeTo, toggled } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { openItems, openNear } from './sitting.ts';
import { isHidden, loadAll, loadMore, openQueue, setMode, showItem, useReview } from './state.ts';

const gap = 8;
const rowsBeforeMore = 6;

/** What is left to decide, many at a time. */
export const ReviewGrid = () => {
  const { t } = useWords();
  const decided = useReview((state) => openItems(state.sitting).length === 0);
  if (!decided) return <Pairs />;
  return (
    <EmptyState
      title={t('review.end', { count: 0 })}
      action={<Button onPress={() => void openQueue()}>{t('review.again')}</Button>}
    />
  );
};

const showFocused = (verdictId: string): void => {
  showItem(verdictId);
  setMode('focus');
};

/** One tab stop, which has the focus from the start; arrows move, Shift and Ctrl select. */
const Pairs = () => {
  const { t } = useWords();
  const sitting = useReview((state) => state.sitting);
  const selection = useReview((state) => state.selection);
  const next = useReview((state) => state.next);
  const hidden = useReview(isHidden);
  const single = useReview((state) => state.scope.statementIds?.length === 1);
  const dragged = useUi((state) => state.thumbnail);
  const view = useSettings().view;
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const items = useMemo(() => openItems(sitting), [sitting]);
  const order = useMemo(() => items.map(({ verdictId }) => verdictId), [items]);
  const index = Math.max(0, order.indexOf(openNear(sitting)?.verdictId ?? ''));

  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => setWidth(element.clientWidth - 32);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    element.focus({ preventScroll: true });
    return () => observer.disconnect();
  }, []);

  const { columns, cell } = useMemo(
    () => gridLayout(width, dragged ?? view.thumbnail),
    [width, dragged, view.thumbnail],
  );
  const height = cell.height + (single ? 0 : 22);
  const rows = useVirtualizer({
    count: Math.ceil(items.length / columns),
    getScrollElement: () => box.current,
    estimateSize: () => height + gap,
    overscan: 2,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new cell height is what needs the new measure
  useEffect(() => rows.measure(), [height, rows]);
  const shown = rows.getVirtualItems();
  const lastRow = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (next !== null && (lastRow + rowsBeforeMore) * columns >= items.length) void loadMore();
  }, [next, lastRow, columns, items.length]);

  const select = (change: (id: string) => void) => {
    const id = order[index];
    if (id !== undefined) change(id);
  };
  useCommands('review grid', [
    reviewCommand('review select', () =>
      select((id) => useReview.setState({ selection: toggled(useReview.getState().selection, id) })),
    ),
    reviewCommand(
      'review select all',
      () =>
        void loadAll().then(() =>
          useReview.setState({
            selection: all(openItems(useReview.getState().sitting).map(({ verdictId }) => verdictId)),
          }),
        ),
    ),
    reviewCommand('review open', () => select(showFocused)),
    {
      id: 'review select none',
      text: 'command.review.selectNone',
      group: 'review',
      enabled: selection.ids.size > 0,
      keys: ['Escape'],
      run: () => useReview.setState({ selection: { ids: new Set(), anchor: null } }),
    },
  ]);

  const goTo = (at: number, extend: boolean) => {
    const item = items[at];
    if (!item) return;
    if (extend) {
      const from = selection.anchor === null ? only(order[index]!) : selection;
      useReview.setState({ selection: rangeTo(from, item.verdictId, order) });
    }
    showItem(item.verdictId);
    rows.scrollToIndex(Math.floor(at / columns), { align: 'auto' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / (height + gap)));
    const to = moved(event.key, index, { columns, count: items.length, page });
    if (to === null) return;
    event.preventDefault();
    goTo(to, event.shiftKey);
  };
  const onPick = useRef((_item: QueueItem, _event: MouseEvent) => {});
  onPick.current = (item, event) => {
    const { selection: before } = useReview.getState();
    const id = item.verdictId;
    const after = event.shiftKey
      ? rangeTo(before, id, order)
      : event.ctrlKey || event.metaKey
        ? toggled(before, id)
        : only(id);
    useReview.setState({ selection: after });
    showItem(id);
  };
  const pick = useMemo(() => (item: QueueItem, event: MouseEvent) => onPick.current(item, event), []);

  return (
    <div className="review-grid">
      <div
        ref={box}
        className="grid"
        data-grid
        role="listbox"
        aria-multiselectable
        tabIndex={0}
        aria-label={t('review.grid')}
        aria-activedescendant={`pair-${index}`}
        onKeyDown={onKeyDown}
      >
        <div className="rows" role="presentation" style={{ height: rows.getTotalSize() }}>
          {shown.map((row) => (
            <div
              key={row.key}
              className="row"
              role="presentation"
              style={{ transform: `translateY(${row.start}px)`, height }}
            >
              {items.slice(row.index * columns, (row.index + 1) * columns).map((item, column) => (
                <PairCell
                  key={item.verdictId}
                  item={item}
                  at={row.index * columns + column}
                  size={cell}
                  whole={view.fit === 'whole'}
                  named={!single}
                  hidden={hidden}
                  current={row.index * columns + column === index}
                  selected={selection.ids.has(item.verdictId)}
                  onPick={pick}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      <SelectionBar />
    </div>
  );
};

/** Only a statement's own rule flags it, which tells the answer. */
const isByRule = ({ flags }: QueueItem): boolean => flags.length > 0 && flags.every(({ by }) => by === null);

type CellProps = Readonly<{
  item: QueueItem;
  at: number;
  size: Readonly<{ width: number; height: number }>;
  whole: boolean;
  named: boolean;
  hidden: boolean;
  current: boolean;
  selected: boolean;
  onPick: (item: QueueItem, event: MouseEvent) => void;
}>;

const PairCell = memo(({ item, at, size, whole, named, hidden, current, selected, onPick }: CellProps) => {
  const { format } = useWords();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys; it holds the focus for its cells
    // biome-ignore lint/a11y/useFocusableInteractive: the grid names its current cell by aria-activedescendant
    <div
      id={`pair-${at}`}
      className="pair-cell"
      role="option"
      aria-selected={selected}
      style={{ width: size.width }}
      onClick={(event) => onPick(item, event)}
      onDoubleClick={() => showFocused(item.verdictId)}
    >
      <div
        className={`cell on-photo${current ? ' current' : ''}${selected ? ' selected' : ''}${whole ? ' whole' : ''}`}
        style={size}
      >
        <img
          src={previewUrl(item.photoId, size.width > 300 ? 2048 : 256)}
          alt={fileName(item.path)}
          decoding="async"
          draggable={false}
        />
        <div className="marks">
          <PhotoMarks damaged={item.damaged} flagged={item.flagged && !(hidden && isByRule(item))} />
        </div>
        {selected && (
          <span className="tick">
            <Check aria-hidden />
          </span>
        )}
        {!hidden && (
          <div className="foot">
            <VerdictChip label={item.label} grade={item.grade} />
            {item.confidence !== null && <span className="plate num end">{format.score(item.confidence)}</span>}
          </div>
        )}
      </div>
      {named && (
        <div className="clip asked" title={item.statement}>
          {item.statement}
        </div>
      )}
    </div>
  );
});
