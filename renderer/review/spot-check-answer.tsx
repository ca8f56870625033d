import type { SpotCheckView } from '../../main/contract/review.ts';
import { useWords } from '../i18n/index.ts';
import { uncheckedBeyond } from '../results/explain.ts';
import { Evidence } from '../results/verdict-panel.tsx';
import { ConfidenceBars } from '../ui/bars.tsx';
import { VerdictChip } from '../ui/chip.tsx';

/** The sentence in plain words first, then the figures, then what was sent and how long it took. */
export const SpotCheckAnswer = ({ answer, stale }: Readonly<{ answer: SpotCheckView; stale: boolean }>) => {
  const { t, format, reasonText, capText } = useWords();
  const unchecked = uncheckedBeyond(answer.explanation?.notChecked ?? [], answer.reason, answer.caps);
  return (
    <section className={stale ? 'verdict stale' : 'verdict'} aria-live="polite" aria-busy={stale}>
      <div className="lean">
        <VerdictChip label={answer.label} grade={answer.grade} />
        {answer.lean && answer.confidence !== null && (
          <span className="num">
            {answer.label === answer.lean
              ? t(`verdict.grade.${answer.grade}`, { confidence: format.score(answer.confidence) })
              : t(`verdict.leans.${answer.lean}`, { confidence: format.score(answer.confidence) })}
          </span>
        )}
      </div>
      <p className="why">
        {reasonText(answer.reason)}
        {unchecked.length > 0 &&
          ` ${reasonText({ code: 'words_not_checked', params: { words: unchecked, evidence: [] } })}`}
      </p>
      {answer.p && <ConfidenceBars p={answer.p} />}
      {answer.caps.length > 0 && (
        <div className="caps">
          {answer.caps.map((cap) => (
            <p key={`${cap.side} ${cap.reason.code}`}>{capText(cap)}</p>
          ))}
        </div>
      )}
      {answer.explanation && <Evidence explanation={answer.explanation} />}
      <p className="muted small num">
        {t('try.sent', { parts: format.list(answer.sent.parts.map((word) => t('quote', { word }))) })}{' '}
        {t('try.took', { ms: format.ms(Math.round(answer.timingMs.total)) })}
      </p>
    </section>
  );
};
