import { Flag, ImageOff, TriangleAlert, UserCheck } from 'lucide-react';
import { memo, useState } from 'react';
import { previewUrl } from '../../main/contract/preview.ts';
import type { VerdictChip as Chip, ResultItem } from '../../main/contract/views.ts';
import { useSets } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { VerdictChip } from '../ui/chip.tsx';
import { fileName } from '../ui/path.ts';
import { useUi } from '../ui-state.ts';

type Props = Readonly<{
  /** Absent while its page is on its way. */
  item: ResultItem | undefined;
  at: number;
  total: number;
  size: Readonly<{ width: number; height: number }>;
  whole: boolean;
  current: boolean;
}>;

const signWidth = 24;

/** The chip of the one statement in question with its confidence; of several, their signs alone. */
const Foot = ({ chips, width }: Readonly<{ chips: readonly Chip[]; width: number }>) => {
  const { format } = useWords();
  const sets = useSets().data;
  const asked = useUi((state) => state.filter.statementIds);
  const single =
    asked?.length === 1
      ? chips.find((chip) => chip.statementId === asked[0])
      : chips.length === 1
        ? chips[0]
        : undefined;
  if (single)
    return (
      <>
        <VerdictChip label={single.effectiveLabel} grade={single.reviewed ? 'high' : single.grade} />
        {single.confidence !== null && <span className="plate num end">{format.score(single.confidence)}</span>}
      </>
    );
  const room = Math.max(1, Math.floor((width - 12) / signWidth) - 1);
  const fits = chips.length <= room + 1 ? chips.length : room;
  const texts = new Map(sets?.flatMap((set) => set.statements).map(({ id, text }) => [id, text]));
  return (
    <>
      {chips.slice(0, fits).map((chip) => (
        <VerdictChip
          key={chip.verdictId}
          compact
          label={chip.effectiveLabel}
          grade={chip.grade}
          title={texts.get(chip.statementId)}
        />
      ))}
      {chips.length > fits && <span className="plate num">+{format.integer(chips.length - fits)}</span>}
    </>
  );
};

export const Cell = memo(({ item, at, total, size, whole, current }: Props) => {
  const { t, format } = useWords();
  const [lost, setLost] = useState(false);
  if (!item) return <div className="cell" style={size} role="presentation" />;
  const first = item.chips[0];
  const said = first
    ? t('results.cell', {
        name: fileName(item.path),
        label: t(`label.${first.effectiveLabel}`),
        confidence: first.confidence === null ? '' : format.score(first.confidence),
      })
    : fileName(item.path);
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
      aria-label={said}
      onClick={choose}
      onDoubleClick={() => useUi.setState({ photoId: item.photoId, open: true })}
    >
      {lost ? (
        <div className="lost">
          <ImageOff aria-hidden />
        </div>
      ) : (
        <img
          src={previewUrl(item.photoId, size.width > 300 ? 2048 : 256)}
          alt=""
          decoding="async"
          draggable={false}
          onError={() => setLost(true)}
        />
      )}
      <div className="marks">
        {item.damaged && (
          <span className="plate" title={t('results.damaged')}>
            <TriangleAlert aria-label={t('results.damaged')} />
          </span>
        )}
        {item.flagged && (
          <span className="plate" title={t('results.flagged')}>
            <Flag aria-label={t('results.flagged')} />
          </span>
        )}
        {item.chips.some((chip) => chip.reviewed) && (
          <span className="plate" title={t('results.reviewed')}>
            <UserCheck aria-label={t('results.reviewed')} />
          </span>
        )}
      </div>
      <div className="foot">
        <Foot chips={item.chips} width={size.width} />
      </div>
    </div>
  );
});
