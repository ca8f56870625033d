import { Images, Search, UserCheck } from 'lucide-react';
import { memo } from 'react';
import { labels } from '../../main/contract/labels.ts';
import type { VerdictChip as Chip, ResultItem } from '../../main/contract/views.ts';
import { useWords } from '../i18n/index.ts';
import { PhotoCell } from '../photo/cell.tsx';
import type { CellPlace } from '../photo/grid.tsx';
import { PhotoMarks } from '../photo/marks.tsx';
import { VerdictChip, VerdictSign } from '../ui/chip.tsx';
import { choosePhoto, openPhoto, setFilter, useResultsView } from './state.ts';

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
  const asked = useResultsView((state) => state.filter.statementIds);
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
      data-testid="similar"
      onClick={(event) => {
        event.stopPropagation();
        setFilter({ similarTo: item.photoId });
      }}
    >
      <Images aria-label={label} />
      <span className="num">{format.integer(item.similar)}</span>
    </span>
  );
};

type Props = CellPlace & Readonly<{ item: ResultItem | undefined }>;

export const Cell = memo(({ item, ...place }: Props) => {
  const { t } = useWords();
  // Its page is on its way.
  if (!item) return <div className="cell" style={place.size} role="presentation" />;
  return (
    <PhotoCell
      photo={item}
      place={place}
      marks={
        <>
          {item.similar > 1 && <SimilarMark item={item} />}
          <PhotoMarks damaged={item.damaged} flagged={item.flagged} />
          {item.chips.some((chip) => chip.reviewed) && (
            <span className="plate" title={t('results.reviewed')}>
              <UserCheck aria-label={t('results.reviewed')} />
            </span>
          )}
        </>
      }
      foot={
        <>
          <Verdicts chips={item.chips} bare={item.fit !== null} />
          {item.fit !== null && <Fit fit={item.fit} />}
        </>
      }
      onClick={() => choosePhoto(item.photoId)}
      onDoubleClick={() => openPhoto(item.photoId)}
    />
  );
});
