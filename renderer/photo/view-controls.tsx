/** How photos are looked at, wherever they are: the size of a grid's cells, and whether the inspector is there. */
import { PanelRight } from 'lucide-react';
import { menuCommands } from '../../main/contract/menu.ts';
import { changeSettings } from '../data/actions.ts';
import { useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Toggle } from '../ui/button.tsx';
import { Slider } from '../ui/fields.tsx';
import { useDraggedWidth, useThumbnail } from './thumbnail.ts';

/** Keeps the width, and leaves it to the settings from then on unless the slider has moved again. */
const keepWidth = async (width: number): Promise<void> => {
  await changeSettings({ view: { thumbnail: width } });
  if (useDraggedWidth.getState().width === width) useDraggedWidth.setState({ width: null });
};

export const ThumbnailSize = () => {
  const { t } = useWords();
  return (
    <Slider
      bare
      label={t('results.thumbnail')}
      value={useThumbnail()}
      min={112}
      max={400}
      step={16}
      onChange={(width) => useDraggedWidth.setState({ width })}
      onRest={(width) => void keepWidth(width)}
    />
  );
};

export const InspectorToggle = () => {
  const { t } = useWords();
  const inspector = useSettings().view.inspector;
  return (
    <Toggle
      label={t('command.inspector')}
      icon={PanelRight}
      keys={menuCommands.inspector}
      selected={inspector}
      onChange={(shown) => void changeSettings({ view: { inspector: shown } })}
    />
  );
};
