import type { PairDetail, VerdictRecord } from '../../main/contract/views.ts';
import { useWords } from '../i18n/index.ts';
import { Answer, Question } from '../photo/answer.tsx';
import { Evidence } from '../photo/evidence.tsx';
import { VerdictChip } from '../ui/chip.tsx';
import { When } from '../ui/text.tsx';

/** One verdict, what it rests on, and those before it. */
export const VerdictPanel = ({ pair }: Readonly<{ pair: PairDetail }>) => {
  const { t } = useWords();
  const { current, explanation } = pair;
  const decidedByReview = pair.reviews.some((review) => !review.undone && review.kind !== 'skip');
  return (
    <section className="verdict">
      <Question set={pair.setName} statement={pair.statement} />
      <Answer
        answer={current}
        caps={pair.caps}
        notChecked={explanation?.notChecked}
        thresholds={pair.thresholds}
        reviewed={decidedByReview ? pair.effectiveLabel : null}
      />
      {current.degraded && <p className="warn">{t('verdict.degraded')}</p>}
      {explanation && <Evidence explanation={explanation} />}
      {pair.history.length > 0 && <History verdicts={[current, ...pair.history]} />}
    </section>
  );
};

/** The verdicts on one pair, newest first; what people decided is in the audit trail. */
const History = ({ verdicts }: Readonly<{ verdicts: readonly VerdictRecord[] }>) => {
  const { t, deviceName } = useWords();
  return (
    <div>
      <h2>{t('verdict.history')}</h2>
      <ol className="history">
        {verdicts.map((verdict) => (
          <li key={verdict.id}>
            <VerdictChip label={verdict.label} grade={verdict.grade} />
            <span className="muted clip" title={`${verdict.model.id} ${verdict.model.version}`}>
              {verdict.precision} · {deviceName(verdict.device)}
            </span>
            <span className="muted">
              <When at={verdict.at} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
};
