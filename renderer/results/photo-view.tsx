import { ArrowLeft, ChevronLeft, ChevronRight, FolderOpen } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { Button as Bare } from 'react-aria-components';
import type { ResultItem } from '../../main/contract/views.ts';
import { useCommands } from '../commands/registry.ts';
import { reveal } from '../data/actions.ts';
import { useWords } from '../i18n/index.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { fileName } from '../ui/path.ts';
import { Gap, Screen } from '../ui/screen.tsx';
import { useUi } from '../ui-state.ts';
import { FilmFrame } from './film-frame.tsx';
import { InspectorToggle } from './filter-bar.tsx';
import { PhotoCanvas } from './photo-canvas.tsx';

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
const close = () => useUi.setState({ open: false });
const go = (item: ResultItem | undefined) => item && useUi.setState({ photoId: item.photoId });

export const PhotoView = ({ items, index, total, more, inspector }: Props) => {
  const { t, format } = useWords();
  const item = items[index]!;
  const stage = useRef<HTMLElement>(null);
  useLayoutEffect(() => stage.current?.focus(), []);
  const previous = items[index - 1];
  const next = items[index + 1];
  useEffect(() => {
    if (index + filmReach >= items.length && items.length < total) more();
  }, [index, items, total, more]);
  useCommands('photo view', [
    { id: 'close photo', text: 'command.closePhoto', group: 'photo', keys: ['Escape'], run: close },
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
      lead={<IconButton label={t('command.closePhoto')} icon={ArrowLeft} keys="Escape" onPress={close} />}
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
      <section ref={stage} tabIndex={-1} className="stage" aria-label={t('photo.stage')}>
        <PhotoCanvas item={item} ahead={near.flatMap((step) => items[index + step] ?? [])} />
        <Film items={items} index={index} />
      </section>
    </Screen>
  );
};

/** The neighbours, the current photo in the middle. */
const Film = ({ items, index }: Readonly<{ items: readonly ResultItem[]; index: number }>) => {
  const { t } = useWords();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    box.current?.querySelector(`[aria-current]`)?.scrollIntoView({ inline: 'center', block: 'nearest' });
  });
  const from = Math.max(0, index - filmReach);
  return (
    <nav ref={box} className="film" aria-label={t('photo.neighbours')}>
      {items.slice(from, index + filmReach + 1).map((item, offset) => (
        <Bare
          key={item.photoId}
          excludeFromTabOrder
          aria-label={fileName(item.path)}
          aria-current={from + offset === index ? 'true' : undefined}
          onPress={() => go(item)}
        >
          <FilmFrame photoId={item.photoId} />
        </Bare>
      ))}
    </nav>
  );
};
