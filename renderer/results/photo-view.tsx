import { ArrowLeft, ChevronLeft, ChevronRight, FolderOpen } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { ResultItem } from '../../main/contract/views.ts';
import { useCommands } from '../commands/registry.ts';
import { reveal } from '../data/actions.ts';
import { useWords } from '../i18n/index.ts';
import { PhotoCanvas } from '../photo/canvas.tsx';
import { Film, type Frame } from '../photo/film.tsx';
import { InspectorToggle } from '../photo/view-controls.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { fileName } from '../ui/path.ts';
import { Gap, Screen } from '../ui/screen.tsx';
import { choosePhoto, closePhoto } from './state.ts';

type Props = Readonly<{
  items: readonly ResultItem[];
  index: number;
  total: number;
  more: () => void;
  inspector: ReactNode;
}>;

const filmReach = 8;
/** Where the photos lie that are drawn ahead, seen from the current one. */
const near = [1, 2, -1] as const;
const go = (item: ResultItem | undefined) => item && choosePhoto(item.photoId);

/** The neighbours, the current photo in the middle. */
const filmOf = (items: readonly ResultItem[], index: number): readonly Frame[] =>
  items.slice(Math.max(0, index - filmReach), index + filmReach + 1).map(({ photoId, path }) => {
    return { id: photoId, photoId, label: fileName(path) };
  });

export const PhotoView = ({ items, index, total, more, inspector }: Props) => {
  const { t, format } = useWords();
  const item = items[index]!;
  const stage = useRef<HTMLElement>(null);
  useLayoutEffect(() => stage.current?.focus(), []);
  const film = useMemo(() => filmOf(items, index), [items, index]);
  const previous = items[index - 1];
  const next = items[index + 1];
  useEffect(() => {
    if (index + filmReach >= items.length && items.length < total) more();
  }, [index, items, total, more]);
  useCommands('photo view', [
    { id: 'close photo', text: 'command.closePhoto', group: 'photo', keys: ['Escape'], run: closePhoto },
    {
      id: 'next photo',
      text: 'command.nextPhoto',
      group: 'photo',
      keys: ['ArrowRight'],
      enabled: next !== undefined,
      run: () => go(next),
    },
    {
      id: 'previous photo',
      text: 'command.previousPhoto',
      group: 'photo',
      keys: ['ArrowLeft'],
      enabled: previous !== undefined,
      run: () => go(previous),
    },
    { id: 'first photo', text: 'command.firstPhoto', group: 'photo', keys: ['Home'], run: () => go(items[0]) },
    { id: 'last photo', text: 'command.lastPhoto', group: 'photo', keys: ['End'], run: () => go(items.at(-1)) },
  ]);
  return (
    <Screen
      title={fileName(item.path)}
      lead={<IconButton label={t('command.closePhoto')} icon={ArrowLeft} keys="Escape" onPress={closePhoto} />}
      bar={
        <>
          <span className="muted num">
            {t('photo.place', { index: format.integer(index + 1), total: format.integer(total) })}
          </span>
          <Gap />
          <IconButton
            label={t('command.previousPhoto')}
            icon={ChevronLeft}
            keys="ArrowLeft"
            isDisabled={!previous}
            onPress={() => go(previous)}
          />
          <IconButton
            label={t('command.nextPhoto')}
            icon={ChevronRight}
            keys="ArrowRight"
            isDisabled={!next}
            onPress={() => go(next)}
          />
          <Button icon={FolderOpen} onPress={() => void reveal('photo', item.photoId)}>
            {t('action.reveal')}
          </Button>
          <InspectorToggle />
        </>
      }
      inspector={inspector}
    >
      <section ref={stage} tabIndex={-1} className="stage" data-stage aria-label={t('photo.stage')}>
        <PhotoCanvas item={item} ahead={near.flatMap((step) => items[index + step] ?? [])} />
        <Film frames={film} current={item.photoId} align="centre" onChoose={choosePhoto} />
      </section>
    </Screen>
  );
};
