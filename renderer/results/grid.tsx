import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ResultItem } from '../../main/contract/views.ts';
import { useCommands } from '../commands/registry.ts';
import { refreshGrid } from '../data/live.ts';
import { useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { useUi } from '../ui-state.ts';
import { Cell } from './cell.tsx';
import { gridLayout, moved } from './layout.ts';

type Props = Readonly<{
  items: readonly ResultItem[];
  /** Photos in all pages, loaded or not. */
  total: number;
  /** Of the current photo; -1 without one. */
  index: number;
  more: () => void;
}>;

/** A virtual grid: one tab stop, arrows move the current photo, Enter opens it. */
export const Grid = ({ items, total, index, more }: Props) => {
  const { t } = useWords();
  const view = useSettings().view;
  const dragged = useUi((state) => state.thumbnail);
  const thumbnail = dragged ?? view.thumbnail;
  const newResults = useUi((state) => state.newResults);
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => setWidth(element.clientWidth - 32);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, []);

  const { columns, cell } = useMemo(() => gridLayout(width, thumbnail), [width, thumbnail]);
  const count = Math.max(total, items.length);
  const rows = useVirtualizer({
    count: Math.ceil(count / columns),
    getScrollElement: () => box.current,
    estimateSize: () => cell.height + 8,
    overscan: 3,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new cell height is what needs the new measure
  useEffect(() => rows.measure(), [cell.height, rows]);

  const shown = rows.getVirtualItems();
  const isDrawn = index >= 0 && shown.some((row) => row.index === Math.floor(index / columns));
  const lastShown = ((shown.at(-1)?.index ?? 0) + 1) * columns;
  useEffect(() => {
    if (lastShown >= items.length && items.length < total) more();
  });

  const chosen = useUi((state) => state.photoId);
  // Only another choice or another layout brings the current photo into sight; new results never move the grid.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the index alone is no reason to scroll
  useEffect(() => {
    if (chosen !== null && index >= 0) rows.scrollToIndex(Math.floor(index / columns), { align: 'auto' });
  }, [chosen, columns, rows]);

  const go = (next: number) => {
    const item = items[next];
    if (item) useUi.setState({ photoId: item.photoId });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / (cell.height + 8)));
    const next = moved(event.key, index, { columns, count: items.length, page });
    if (next === null) return;
    event.preventDefault();
    go(next);
  };
  useCommands('grid', [
    {
      id: 'open photo',
      text: 'command.openPhoto',
      group: 'results',
      keys: ['Enter', 'Space'],
      enabled: index >= 0,
      run: () => {
        const item = items[index];
        if (item) useUi.setState({ photoId: item.photoId, open: true });
      },
    },
  ]);

  const showNew = () => {
    box.current?.scrollTo({ top: 0 });
    useUi.setState({ newResults: false, gridAtTop: true });
    refreshGrid();
  };

  return (
    <div className="more-bar">
      {newResults && (
        <div className="fresh">
          <Button onPress={showNew}>{t('results.showNew')}</Button>
        </div>
      )}
      <div
        ref={box}
        className="grid"
        data-grid
        role="listbox"
        tabIndex={0}
        aria-label={t('screen.results')}
        aria-activedescendant={isDrawn ? `photo-${index}` : undefined}
        onKeyDown={onKeyDown}
        onScroll={(event) => {
          const gridAtTop = event.currentTarget.scrollTop < cell.height;
          if (gridAtTop !== useUi.getState().gridAtTop) useUi.setState({ gridAtTop });
        }}
      >
        <div className="rows" role="presentation" style={{ height: rows.getTotalSize() }}>
          {shown.map((row) => (
            <div
              key={row.key}
              className="row"
              role="presentation"
              style={{ transform: `translateY(${row.start}px)`, height: cell.height }}
            >
              {Array.from({ length: Math.min(columns, count - row.index * columns) }, (_, column) => {
                const at = row.index * columns + column;
                return (
                  <Cell
                    key={items[at]?.photoId ?? at}
                    item={items[at]}
                    at={at}
                    total={count}
                    size={cell}
                    whole={view.fit === 'whole'}
                    current={at === index}
                  />
                );
              })}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
};
