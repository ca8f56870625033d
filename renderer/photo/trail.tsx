import type { TrailEntry } from '../../main/contract/review.ts';
import { useTrail } from '../data/review.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { VerdictChip } from '../ui/chip.tsx';
import { When } from '../ui/text.tsx';

/** Who decided what on a photo, when, from which label to which; of one statement when given. Nothing is ever removed. */
export const Trail = ({ photoId, statementId }: Readonly<{ photoId: string; statementId?: string }>) => {
  const { t } = useWords();
  const trail = useTrail(photoId);
  const entries = (trail.data?.pages ?? [])
    .flatMap((page) => page.items)
    .filter((entry) => statementId === undefined || entry.statementId === statementId);
  if (entries.length === 0) return null;
  return (
    <section>
      <h2>{t('review.trail')}</h2>
      <ol className="trail" data-testid="trail">
        {entries.map((entry) => (
          <Line key={entry.id} entry={entry} named={statementId === undefined} />
        ))}
      </ol>
      {trail.hasNextPage && (
        <Button kind="link" onPress={() => void trail.fetchNextPage()}>
          {t('action.showMore')}
        </Button>
      )}
    </section>
  );
};

/** So many characters may fill more than it is given: the keyboard scrolls the rest. */
const mayOverflow = 200;

const Note = ({ text }: Readonly<{ text: string }>) => {
  const { t } = useWords();
  const long = text.length > mayOverflow || text.split('\n').length > 8;
  return (
    <div className="note selectable" {...(long && { tabIndex: 0, role: 'group', 'aria-label': t('review.note') })}>
      {text}
    </div>
  );
};

const Line = ({ entry, named }: Readonly<{ entry: TrailEntry; named: boolean }>) => {
  const { t, format } = useWords();
  const { verdict } = entry;
  return (
    <li>
      <div className="what">
        <span>{t(`review.did.${entry.kind}`)}</span>
        {entry.before && entry.after && entry.before !== entry.after ? (
          <>
            <VerdictChip compact label={entry.before} grade="low" title={t('review.before')} />
            <span aria-hidden>→</span>
            <VerdictChip compact label={entry.after} title={t('review.after')} />
          </>
        ) : (
          entry.label && <VerdictChip compact label={entry.label} />
        )}
        <span className="muted when">
          <When at={entry.at} />
        </span>
      </div>
      {named && <div className="clip">{entry.statement}</div>}
      <div className="muted">
        {[
          entry.reviewer,
          entry.blind ? t('review.blind') : null,
          verdict && `${verdict.model} ${verdict.version}, ${verdict.precision}`,
          verdict?.confidence !== null && verdict
            ? `${t(`label.${verdict.label}`)} ${format.score(verdict.confidence)}`
            : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </div>
      {entry.note && <Note text={entry.note} />}
    </li>
  );
};
