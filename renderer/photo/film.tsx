import { memo, type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react';
import { Button as Bare } from 'react-aria-components';
import { previewUrl } from '../../main/contract/preview.ts';
import { useWords } from '../i18n/index.ts';

export type Frame = Readonly<{
  /** Its own among the frames; a photo may be there twice. */
  id: string;
  photoId: string;
  label: string;
  mark?: ReactNode;
}>;

type Props = Readonly<{
  frames: readonly Frame[];
  /** The frame that is at hand. */
  current: string | undefined;
  /** Where the frames lie that are too few or too many for the film: about the current one, or from its beginning on. */
  align: 'centre' | 'start';
  onChoose: (id: string) => void;
}>;

const hide = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => {
  currentTarget.style.visibility = 'hidden';
};

/** The photos around the one that fills the stage; the place of one whose file cannot be read stays empty. */
export const Film = memo(({ frames, current, align, onChoose }: Props) => {
  const { t } = useWords();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (align === 'centre')
      box.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  });
  return (
    <nav ref={box} className={align === 'start' ? 'film from-start' : 'film'} aria-label={t('photo.neighbours')}>
      {frames.map(({ id, photoId, label, mark }) => (
        <Bare
          key={id}
          excludeFromTabOrder
          // A press leaves the focus on the stage, so that the keys go on working.
          {...{ preventFocusOnPress: true }}
          aria-label={label}
          aria-current={id === current ? 'true' : undefined}
          onPress={() => onChoose(id)}
        >
          <img src={previewUrl(photoId, 256)} alt="" draggable={false} className="frame" onError={hide} />
          {mark}
        </Bare>
      ))}
    </nav>
  );
});
