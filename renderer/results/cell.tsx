import { ImageOff, Images, Search, UserCheck } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { labels } from '../../main/contract/labels.ts';
import { previewUrl } from '../../main/contract/preview.ts';
import type { VerdictChip as Chip, ResultItem } from '../../main/contract/views.ts';
import { useWords } from '../i18n/index.ts';
import { VerdictChip, VerdictSign } from '../ui/chip.tsx';
import { fileName } from '../ui/path.ts';
import { useUi } from '../ui-state.ts';
import { PhotoMarks } from './photo-marks.tsx';

type Props = Readonly<{
  /** Absent while its page is on its way. */
  item: ResultItem | undefined;
  at: number;
  total: number;
  size: Readonly<{ width: number; height: number }>;
  whole: boolean;
  current: boolean;
}>;

/** How well the photo fits the text that was searched for. */
const Fit = ({ fit }: Readonly<{ fit: number }>) => {
  const { t, format } = useWords();
  return (
    <span className="plate num end" title={t('find.fit', { score: format.score(fit) })}>
      <Search aria-label={t('find.field')} />
      {format.score(fit)}
    </span>
  );
};

/** The chip of the one statement in question with its confidence; of several, how many came out which way. */
const Verdicts = ({ chips, bare }: Readonly<{ chips: readonly Chip[]; bare: boolean }>) => {
  const { t, format } = useWords();
  const asked = useUi((state) => state.filter.statementIds);
  const single =
    chips.length === 1 ? chips[0] : asked?.length === 1 && chips.find((chip) => chip.statementId === asked[0]);
  if (single)
    return (
      <>
        <VerdictChip label={single.effectiveLabel} grade={single.reviewed ? 'high' : single.grade} />
        {!bare && single.confidence !== null && (
          <span className="plate num end">{format.score(single.confidence)}</span>
        )}
      </>
    );
  return (
    <span className="plate tally">
      {labels.map((label) => {
        const count = chips.filter((chip) => chip.effectiveLabel === label).length;
        return (
          count > 0 && (
            <span key={label} className={label} title={t(`label.${label}`)}>
              <VerdictSign label={label} />
              <span className="unseen">{t(`label.${label}`)}</span>
              <span className="num">{format.integer(count)}</span>
            </span>
          )
        );
      })}
    </span>
  );
};

/** How many look alike; a click opens them, as the key does for the current photo. */
const SimilarMark = ({ item }: Readonly<{ item: ResultItem }>) => {
  const { t, format } = useWords();
  const label = t('results.similar', { count: item.similar });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the S key does the same for the current photo
    // biome-ignore lint/a11y/noStaticElementInteractions: the grid holds the focus for its cells
    <span
      className="plate similar"
      title={label}
      onClick={(event) => {
        event.stopPropagation();
        useUi.getState().setFilter({ similarTo: item.photoId });
      }}
    >
      <Images aria-label={label} />
      <span className="num">{format.integer(item.similar)}</span>
    </span>
  );
};

export const Cell = memo(({ item, at, total, size, whole, current }: Props) => {
  const { t } = useWords();
  const [lost, setLost] = useState(false);
  // A photo that is told of anew gets another try.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the item itself is what is new
  useEffect(() => setLost(false), [item]);
  if (!item) return <div className="cell" style={size} role="presentation" />;
  const name = fileName(item.path);
  const choose = () => useUi.setState({ photoId: item.photoId });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys; it holds the focus for its cells
    // biome-ignore lint/a11y/useFocusableInteractive: the grid names its current cell by aria-activedescendant
    <div
      id={`photo-${at}`}
      className={`cell on-photo${current ? ' current' : ''}${whole ? ' whole' : ''}`}
      style={size}
      role="option"
      aria-selected={current}
      aria-setsize={total}
      aria-posinset={at + 1}
      onClick={choose}
      onDoubleClick={() => useUi.setState({ photoId: item.photoId, open: true })}
    >
      {lost ? (
        <div className="lost">
          <ImageOff aria-label={name} />
        </div>
      ) : (
        <img
          src={previewUrl(item.photoId, size.width > 300 ? 2048 : 256)}
          alt={name}
          decoding="async"
          draggable={false}
          onError={() => setLost(true)}
        />
      )}
      <div className="marks">
        {item.similar > 1 && <SimilarMark item={item} />}
        <PhotoMarks damaged={item.damaged} flagged={item.flagged} />
        {item.chips.some((chip) => chip.reviewed) && (
          <span className="plate" title={t('results.reviewed')}>
            <UserCheck aria-label={t('results.reviewed')} />
          </span>
        )}
      </div>
      <div className="foot">
        <Verdicts chips={item.chips} bare={item.fit !== null} />
        {item.fit !== null && <Fit fit={item.fit} />}
      </div>
    </div>
  );
});
