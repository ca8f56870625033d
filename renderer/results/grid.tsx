import { useRef } from 'react';
import type { ResultItem } from '../../main/contract/views.ts';
import { useCommands } from '../commands/registry.ts';
import { useWords } from '../i18n/index.ts';
import { PhotoGrid } from '../photo/grid.tsx';
import { Button } from '../ui/button.tsx';
import { Cell } from './cell.tsx';
import { refreshGrid } from './live.ts';
import { choosePhoto, openPhoto, useResultsView } from './state.ts';

type Props = Readonly<{
  items: readonly ResultItem[];
  /** Photos in all pages, loaded or not. */
  total: number;
  /** The place of the current photo; -1 without one. */
  index: number;
  more: () => void;
}>;

const idOf = ({ photoId }: ResultItem): string => photoId;

/** New results come into the grid by themselves while its first rows are in sight. */
const noteTop = (top: number, cellHeight: number): void => {
  const gridAtTop = top < cellHeight;
  if (gridAtTop !== useResultsView.getState().gridAtTop) useResultsView.setState({ gridAtTop });
};

/** The results: the arrows move the current photo, Enter opens it. */
export const Grid = ({ items, total, index, more }: Props) => {
  const { t } = useWords();
  const chosen = useResultsView((state) => state.photoId);
  const newResults = useResultsView((state) => state.newResults);
  const box = useRef<HTMLDivElement>(null);
  const current = items[index];
  useCommands('grid', [
    {
      id: 'open photo',
      text: 'command.openPhoto',
      group: 'results',
      keys: ['Enter', 'Space'],
      enabled: current !== undefined,
      run: () => current && openPhoto(current.photoId),
    },
  ]);
  const showNew = () => {
    box.current?.scrollTo({ top: 0 });
    useResultsView.setState({ newResults: false, gridAtTop: true });
    refreshGrid();
  };
  return (
    <div className="more-bar">
      {newResults && (
        <div className="fresh">
          <Button onPress={showNew}>{t('results.showNew')}</Button>
        </div>
      )}
      <PhotoGrid
        label={t('screen.results')}
        box={box}
        items={items}
        idOf={idOf}
        total={total}
        index={index}
        current={chosen}
        onMove={(at) => {
          const item = items[at];
          if (item) choosePhoto(item.photoId);
        }}
        onDrawn={(end) => {
          if (end >= items.length && items.length < total) more();
        }}
        onScroll={noteTop}
        cell={(item, place) => <Cell item={item} {...place} />}
      />
    </div>
  );
};
