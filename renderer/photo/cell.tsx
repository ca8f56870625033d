import { Check, ImageOff } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import { previewUrl } from '../../main/contract/preview.ts';
import { fileName } from '../ui/path.ts';
import type { CellPlace } from './grid.tsx';

type Props = Readonly<{
  photo: Readonly<{ photoId: string; path: string }>;
  place: CellPlace;
  selected?: boolean;
  /** Marks lie at the top of the photo, what was judged of it at its foot, and a line of text beneath it. */
  marks: ReactNode;
  foot: ReactNode;
  beneath?: ReactNode;
  onClick: (event: MouseEvent) => void;
  onDoubleClick: () => void;
}>;

const largePreview = 2048;
const smallPreview = 256;

/** The photo itself; a file that cannot be read leaves its sign. */
const Picture = ({ photo, width }: Readonly<{ photo: Props['photo']; width: number }>) => {
  const [lost, setLost] = useState(false);
  // Told of anew, the photo gets another try.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the photo itself is what is new
  useEffect(() => setLost(false), [photo]);
  const name = fileName(photo.path);
  if (lost)
    return (
      <div className="lost">
        <ImageOff aria-label={name} />
      </div>
    );
  return (
    <img
      src={previewUrl(photo.photoId, width > 300 ? largePreview : smallPreview)}
      alt={name}
      decoding="async"
      draggable={false}
      onError={() => setLost(true)}
    />
  );
};

/** One photo of a grid, which has the keys and holds the focus for its cells. */
export const PhotoCell = ({ photo, place, selected, marks, foot, beneath, onClick, onDoubleClick }: Props) => {
  const { id, at, total, size, whole, current } = place;
  const looks = `cell on-photo${current ? ' current' : ''}${selected ? ' selected' : ''}${whole ? ' whole' : ''}`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys; it holds the focus for its cells
    // biome-ignore lint/a11y/useFocusableInteractive: the grid names its current cell by aria-activedescendant
    <div
      id={id}
      className="photo-cell"
      role="option"
      aria-selected={selected ?? current}
      aria-setsize={total}
      aria-posinset={at + 1}
      style={{ width: size.width }}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
    >
      <div className={looks} style={size}>
        <Picture photo={photo} width={size.width} />
        <div className="marks">{marks}</div>
        {selected && (
          <span className="tick">
            <Check aria-hidden />
          </span>
        )}
        {foot && (
          <div className="foot" data-testid="foot">
            {foot}
          </div>
        )}
      </div>
      {beneath}
    </div>
  );
};
