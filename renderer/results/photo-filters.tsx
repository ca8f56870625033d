import { ChevronDown, Images, X } from 'lucide-react';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { ResultFilter } from '../../main/contract/result-filter.ts';
import { useCommands } from '../commands/registry.ts';
import { useCameras } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Button, Toggle } from '../ui/button.tsx';
import { DateField, Field, TextField } from '../ui/fields.tsx';
import { Select } from '../ui/select.tsx';
import { setFilter, useResultsView } from './state.ts';
import { useTyped } from './typed.ts';

const noLimit = 'any';
/** Smallest sizes to choose from, in megapixels. */
const sizes = [1, 2, 4, 8, 12, 24] as const;
const places = { with: true, without: false } as const;

const names = [
  'text',
  'takenFrom',
  'takenTo',
  'camera',
  'hasGps',
  'minPixels',
] as const satisfies readonly (keyof ResultFilter)[];

const CameraSelect = () => {
  const { t, format } = useWords();
  const cameras = useCameras().data ?? [];
  const camera = useResultsView((state) => state.filter.camera);
  return (
    <Select
      label={t('photo.camera')}
      value={camera ?? t('filter.anyCamera')}
      selected={camera === undefined ? noLimit : `is ${camera}`}
      active={camera !== undefined}
      groups={[
        {
          id: noLimit,
          heading: null,
          choices: [
            { id: noLimit, text: t('filter.anyCamera') },
            ...cameras.map(({ camera: name, photos }) => ({
              id: `is ${name}`,
              text: name,
              end: format.integer(photos),
            })),
          ],
        },
      ]}
      onChange={(id) => setFilter({ camera: id === noLimit ? undefined : id.slice(3) })}
    />
  );
};

const SizeSelect = () => {
  const { t, format } = useWords();
  const least = useResultsView((state) => state.filter.minPixels);
  const text = (megapixels: number) => t('filter.atLeast', { megapixels: format.integer(megapixels) });
  return (
    <Select
      label={t('photo.size')}
      value={least === undefined ? t('filter.anySize') : text(least / 1e6)}
      selected={least === undefined ? noLimit : String(least / 1e6)}
      active={least !== undefined}
      groups={[
        {
          id: noLimit,
          heading: null,
          choices: [
            { id: noLimit, text: t('filter.anySize') },
            ...sizes.map((size) => ({ id: String(size), text: text(size) })),
          ],
        },
      ]}
      onChange={(id) => setFilter({ minPixels: id === noLimit ? undefined : Number(id) * 1e6 })}
    />
  );
};

const PlaceSelect = () => {
  const { t } = useWords();
  const hasGps = useResultsView((state) => state.filter.hasGps);
  const selected = hasGps === undefined ? noLimit : hasGps ? 'with' : 'without';
  return (
    <Select
      label={t('photo.location')}
      value={t(`filter.place.${selected}`)}
      selected={selected}
      active={hasGps !== undefined}
      groups={[
        {
          id: noLimit,
          heading: null,
          choices: ([noLimit, 'with', 'without'] as const).map((id) => ({ id, text: t(`filter.place.${id}`) })),
        },
      ]}
      onChange={(id) => setFilter({ hasGps: id === 'with' || id === 'without' ? places[id] : undefined })}
    />
  );
};

const pathPauseMs = 200;

const PathField = () => {
  const { t } = useWords();
  const text = useResultsView((state) => state.filter.text ?? '');
  const { typed, setTyped } = useTyped(text, (path) => setFilter({ text: path || undefined }), pathPauseMs);
  return <TextField label={t('filter.path')} value={typed} onChange={setTyped} maxLength={500} />;
};

/** Filters by where a photo lies, and by what the camera wrote: when, with what, how large, and whether it says where. */
export const PhotoFilters = () => {
  const { t, format } = useWords();
  const filter = useResultsView((state) => state.filter);
  const set = names.filter((name) => filter[name] !== undefined).length;
  return (
    <DialogTrigger>
      <Button {...(set > 0 && { 'data-selected': true })}>
        {t('filter.photo')}
        {set > 0 && <span className="num">{format.integer(set)}</span>}
        <ChevronDown aria-hidden />
      </Button>
      <Popover className="popover" offset={4}>
        <Dialog className="photo-filters" aria-label={t('filter.photo')}>
          <PathField />
          <DateField
            label={t('filter.takenFrom')}
            value={filter.takenFrom}
            onChange={(takenFrom) => setFilter({ takenFrom })}
          />
          <DateField
            label={t('filter.takenTo')}
            value={filter.takenTo}
            onChange={(takenTo) => setFilter({ takenTo })}
          />
          <Field label={t('photo.camera')}>
            <CameraSelect />
          </Field>
          <Field label={t('photo.size')}>
            <SizeSelect />
          </Field>
          <Field label={t('photo.location')}>
            <PlaceSelect />
          </Field>
          {set > 0 && (
            <Button kind="quiet" onPress={() => setFilter(Object.fromEntries(names.map((name) => [name, undefined])))}>
              {t('results.clearFilters')}
            </Button>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
};

const toggleGrouped = () => useResultsView.setState(({ grouped }) => ({ grouped: !grouped }));
const leaveGroup = () => setFilter({ similarTo: undefined });

/** One cell for photos that look alike. */
export const GroupToggle = () => {
  const { t } = useWords();
  const grouped = useResultsView((state) => state.grouped);
  useCommands('similar photos', [
    { id: 'group similar', text: 'command.groupSimilar', group: 'results', keys: ['g'], run: toggleGrouped },
  ]);
  return <Toggle label={t('filter.grouped')} icon={Images} keys="g" selected={grouped} onChange={toggleGrouped} />;
};

/** The way back from a group of photos that look alike. */
export const GroupFilter = ({ photoId }: Readonly<{ photoId: string | null }>) => {
  const { t } = useWords();
  const inGroup = useResultsView((state) => state.filter.similarTo !== undefined);
  useCommands('group of photos', [
    {
      id: 'show similar',
      text: 'command.showSimilar',
      group: 'results',
      keys: ['s'],
      enabled: inGroup || photoId !== null,
      run: () => {
        if (inGroup) leaveGroup();
        else if (photoId !== null) setFilter({ similarTo: photoId });
      },
    },
  ]);
  return (
    inGroup && (
      <Button icon={X} keys="s" onPress={leaveGroup} data-selected>
        {t('filter.inGroup')}
      </Button>
    )
  );
};
