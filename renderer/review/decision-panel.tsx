import { Check, EyeOff, Flag } from 'lucide-react';
import { memo } from 'react';
import type { QueueItem } from '../../main/contract/review.ts';
import { useKeyOf } from '../commands/bindable.ts';
import { usePhoto } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Answer, Question } from '../photo/answer.tsx';
import { Evidence } from '../photo/evidence.tsx';
import { Facts } from '../photo/facts.tsx';
import { Trail } from '../photo/trail.tsx';
import { Button } from '../ui/button.tsx';
import { VerdictSign } from '../ui/chip.tsx';
import { Callout } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';
import { decideOn, skip, toggleFlag, toggleHidden, undoLast } from './actions.ts';
import { confirmTargets, targets } from './commands.ts';
import { NoteField } from './note-field.tsx';
import { isHidden, useReview } from './state.ts';
import type { Entry } from './worklist.ts';

/** A press keeps the focus where it is, so that the keys go on working. */
const keepsFocus = { preventFocusOnPress: true };

type PanelProps = Readonly<{ item: QueueItem; entry: Entry | undefined }>;

/** Everything there is to decide by, and the keys to do it with. */
export const DecisionPanel = memo(({ item, entry }: PanelProps) => {
  const { t } = useWords();
  const hidden = useReview(isHidden);
  const count = useReview((state) => (state.mode === 'grid' ? state.selection.ids.size : 0));
  const photo = usePhoto(item.photoId).data;
  const pair = photo?.pairs.find(({ statementId }) => statementId === item.statementId);
  return (
    <>
      <section className="verdict">
        <Question set={item.setName} statement={item.statement} />
        <Marks item={item} hidden={hidden} />
        {hidden ? (
          <HiddenAnswer />
        ) : (
          <Answer
            answer={item}
            caps={pair?.caps}
            notChecked={pair?.explanation?.notChecked}
            thresholds={pair?.thresholds}
          />
        )}
      </section>
      <section className="deciding">
        {count > 1 && <p className="muted">{t('review.aboutSelected', { count })}</p>}
        <Decide item={item} entry={entry} hidden={hidden} />
        <NoteField />
      </section>
      {!hidden && pair?.explanation && (
        <section>
          <Evidence explanation={pair.explanation} />
        </section>
      )}
      {!hidden && <Trail photoId={item.photoId} statementId={item.statementId} />}
      {photo && <Facts photo={photo} blind={hidden} />}
    </>
  );
});

/** Why the item is here: flags with their reason and author, damage, degradation. A statement's own flag tells the answer. */
const Marks = ({ item, hidden }: Readonly<{ item: QueueItem; hidden: boolean }>) => {
  const { t } = useWords();
  const flags = item.flags.filter(({ by }) => by !== null || !hidden);
  return (
    <>
      {item.flagged && item.flags.length === 0 && <Callout tone="info">{t('results.flagged')}</Callout>}
      {item.flagged &&
        flags.map((flag) => (
          <div key={`${flag.at} ${flag.by}`} className="callout flagged" data-testid="flag">
            <Flag aria-hidden />
            <div className="text">
              <strong>{flag.by === null ? t('review.flagRule') : flag.reason || t('review.flagNoReason')}</strong>
              <span className="muted">
                {flag.by === null ? t('review.flagByRule') : t('review.flagBy', { name: flag.by })}
                {flag.wholePhoto && `, ${t('review.flagWhole')}`}, <When at={flag.at} />
              </span>
            </div>
          </div>
        ))}
      {item.damaged && <Callout>{t('photo.damaged')}</Callout>}
      {item.degraded && <Callout>{t('verdict.degraded')}</Callout>}
    </>
  );
};

const HiddenAnswer = () => {
  const { t } = useWords();
  const audit = useReview((state) => state.queue === 'audit');
  return (
    <div className="hidden-answer" data-testid="hidden-answer">
      <EyeOff aria-hidden />
      <p>{t(audit ? 'review.hiddenAudit' : 'review.hidden')}</p>
      <Button kind="quiet" keys={useKeyOf('review hide')} onPress={toggleHidden} {...keepsFocus}>
        {t('review.show')}
      </Button>
    </div>
  );
};

/** A button that says that what it does holds already. */
const pressed = (on: boolean) => (on ? { 'data-selected': true, 'aria-pressed': true } : {});

const answers = ['yes', 'no', 'maybe'] as const;

const Decide = ({ item, entry, hidden }: PanelProps & Readonly<{ hidden: boolean }>) => {
  const { t } = useWords();
  const keys: Readonly<Record<(typeof answers)[number], string | undefined>> = {
    yes: useKeyOf('review yes'),
    no: useKeyOf('review no'),
    maybe: useKeyOf('review maybe'),
  };
  const action = (key: string | undefined, text: string, run: () => void, state = {}) => (
    <Button keys={key} onPress={run} {...keepsFocus} {...state}>
      {text}
    </Button>
  );
  return (
    <>
      <div className="answers" data-testid="answers">
        {answers.map((label) => (
          <Button
            key={label}
            keys={keys[label]}
            onPress={() => decideOn(targets(), label)}
            {...keepsFocus}
            {...pressed(entry?.label === label)}
          >
            <span className={`answer ${label}`}>
              <VerdictSign label={label} />
              {t(`likely.${label}`)}
            </span>
          </Button>
        ))}
      </div>
      <div className="actions">
        {action(useKeyOf('review confirm'), t('review.confirmAction'), confirmTargets, { isDisabled: hidden })}
        {action(useKeyOf('review skip'), t('review.skipAction'), () => skip(targets()))}
        {action(useKeyOf('review flag'), t('review.flag'), () => toggleFlag(targets()), pressed(item.flagged))}
        {action(useKeyOf('review undo'), t('action.undo'), undoLast)}
      </div>
      {entry && (
        <p className="muted decided-line">
          <Check aria-hidden />
          {entry.label ? t('review.decidedHere', { label: t(`label.${entry.label}`) }) : t('review.skippedHere')}
        </p>
      )}
    </>
  );
};
