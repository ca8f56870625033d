import { useVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useSettings } from '../data/queries.ts';
import { gap, gridLayout, moved, padding } from './layout.ts';
import { useThumbnail } from './thumbnail.ts';

/** Where a cell lies and how it looks. */
export type CellPlace = Readonly<{
  id: string;
  at: number;
  total: number;
  size: Readonly<{ width: number; height: number }>;
  /** The whole photo is shown, else as much of it as fills the cell. */
  whole: boolean;
  current: boolean;
}>;

type Props<Item> = Readonly<{
  label: string;
  /** The element of the grid, for a caller that scrolls it. */
  box: RefObject<HTMLDivElement | null>;
  items: readonly Item[];
  /** What distinguishes an item from all others. */
  idOf: (item: Item) => string;
  /** How many there are, loaded or not. */
  total: number;
  /** The place of the current item; -1 without one. */
  index: number;
  /** The current item: another one is brought into sight. null leaves the grid where it is, whatever `index` says. */
  current: string | null;
  /** Room that each cell has for a line beneath its photo, in pixels. */
  lineBeneath?: number;
  /** Takes the focus from whatever has it, as soon as the grid is there; else only where nothing has it. */
  takesFocus?: boolean;
  multiple?: boolean;
  /** A key leads to another place; with Shift, a selection goes along. */
  onMove: (at: number, extend: boolean) => void;
  /** The place after the last that is drawn. */
  onDrawn: (end: number) => void;
  onScroll?: (top: number, cellHeight: number) => void;
  /** `item` is undefined while it is on its way. */
  cell: (item: Item | undefined, place: CellPlace) => ReactNode;
}>;

/** The width that an element has for its cells. */
const useWidth = (box: RefObject<HTMLDivElement | null>): number => {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => setWidth(element.clientWidth - 2 * padding);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [box]);
  return width;
};

/** Only the rows in sight and a few around them are drawn. */
const overscan = 3;

const useRows = (box: RefObject<HTMLDivElement | null>, count: number, height: number) => {
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => height + gap,
    overscan,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new height is what needs the new measure
  useEffect(() => rows.measure(), [height, rows]);
  return rows;
};

/**
 * Brings the current cell into sight after another choice or in another layout; what arrives never moves the grid.
 * Gives the mark that a press leaves: what was pressed on is under the pointer, and a double click needs it to stay there.
 */
const useInSight = (
  rows: ReturnType<typeof useRows>,
  { current, index, columns }: Readonly<{ current: string | null; index: number; columns: number }>,
) => {
  const pressed = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the index alone is no reason to scroll
  useEffect(() => {
    if (current !== null && index >= 0 && !pressed.current)
      rows.scrollToIndex(Math.floor(index / columns), { align: 'auto' });
    pressed.current = false;
  }, [current, columns, rows]);
  return pressed;
};

/** A virtual grid of photos: one tab stop, in which the arrows move. */
export const PhotoGrid = <Item,>(props: Props<Item>) => {
  const { box, items, idOf, total, index, current, lineBeneath = 0, takesFocus = false, cell } = props;
  const whole = useSettings().view.fit === 'whole';
  const thumbnail = useThumbnail();
  const width = useWidth(box);
  const { columns, cell: size } = useMemo(() => gridLayout(width, thumbnail), [width, thumbnail]);
  const height = size.height + lineBeneath;
  const count = Math.max(total, items.length);
  const rows = useRows(box, Math.ceil(count / columns), height);
  const name = useId();

  useLayoutEffect(() => {
    if (takesFocus || document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [box, takesFocus]);

  const shown = rows.getVirtualItems();
  const end = ((shown.at(-1)?.index ?? 0) + 1) * columns;
  useEffect(() => props.onDrawn(end));

  const pressed = useInSight(rows, { current, index, columns });

  const onKeyDown = (event: KeyboardEvent) => {
    pressed.current = false;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / (height + gap)));
    const to = moved(event.key, index, { columns, count: items.length, page });
    if (to === null) return;
    event.preventDefault();
    props.onMove(to, event.shiftKey);
  };

  const isDrawn = index >= 0 && shown.some((row) => row.index === Math.floor(index / columns));
  const drawCell = (at: number) => {
    const item = items[at];
    const place = { id: `${name}-${at}`, at, total: count, size, whole, current: at === index };
    return <Fragment key={item === undefined ? at : idOf(item)}>{cell(item, place)}</Fragment>;
  };
  return (
    <div
      ref={box}
      className="grid"
      data-grid
      role="listbox"
      aria-multiselectable={props.multiple}
      tabIndex={0}
      aria-label={props.label}
      aria-activedescendant={isDrawn ? `${name}-${index}` : undefined}
      onKeyDown={onKeyDown}
      onPointerDown={() => {
        pressed.current = true;
      }}
      onScroll={(event) => props.onScroll?.(event.currentTarget.scrollTop, size.height)}
    >
      <div className="rows" role="presentation" style={{ height: rows.getTotalSize() }}>
        {shown.map((row) => (
          <div
            key={row.key}
            className="row"
            role="presentation"
            style={{ transform: `translateY(${row.start}px)`, height }}
          >
            {Array.from({ length: Math.min(columns, count - row.index * columns) }, (_, column) =>
              drawCell(row.index * columns + column),
            )}
          </div>
        ))}
      </div>
    </div>
  );
};
