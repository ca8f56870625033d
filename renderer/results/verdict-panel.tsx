import { Fragment } from 'react';
import type { Explanation } from '../../main/contract/reason.ts';
import type { PairDetail, VerdictRecord } from '../../main/contract/views.ts';
import { useWords } from '../i18n/index.ts';
import { ConfidenceBars } from '../ui/bars.tsx';
import { VerdictChip } from '../ui/chip.tsx';
import { When } from '../ui/text.tsx';
import { uncheckedBeyond } from './explain.ts';

/** One verdict: the sentence in plain words first, figures under it. */
export const VerdictPanel = ({ pair }: Readonly<{ pair: PairDetail }>) => {
  const { t, format, reasonText, capText } = useWords();
  const { current } = pair;
  const decidedByReview = pair.reviews.some((review) => !review.undone && review.kind !== 'skip');
  const unchecked = uncheckedBeyond(pair.explanation?.notChecked ?? [], current.reason, pair.caps);
  return (
    <section className="verdict">
      <div>
        <h2>{t('verdict.statement', { set: pair.setName })}</h2>
        <h3 className="say">{pair.statement}</h3>
      </div>
      <div className="lean">
        <VerdictChip label={pair.effectiveLabel} grade={decidedByReview ? 'high' : current.grade} />
        {decidedByReview && <span>{t('verdict.byReview')}</span>}
        {current.lean && current.confidence !== null && (
          <span className="num">
            {current.lean === current.label
              ? t(`verdict.grade.${current.grade}`, { confidence: format.score(current.confidence) })
              : t(`verdict.leans.${current.lean}`, { confidence: format.score(current.confidence) })}
          </span>
        )}
      </div>
      <p className="why">
        {reasonText(current.reason)}
        {unchecked.length > 0 &&
          ` ${reasonText({ code: 'words_not_checked', params: { words: unchecked, evidence: [] } })}`}
      </p>
      {current.p && <ConfidenceBars p={current.p} thresholds={pair.thresholds} />}
      {pair.caps.length > 0 && (
        <div className="caps">
          {pair.caps.map((cap) => (
            <p key={`${cap.side} ${cap.reason.code}`}>{capText(cap)}</p>
          ))}
        </div>
      )}
      {current.degraded && <p className="warn">{t('verdict.degraded')}</p>}
      {pair.explanation && <Evidence explanation={pair.explanation} />}
      {pair.history.length > 0 && <History verdicts={[current, ...pair.history]} />}
    </section>
  );
};

export const Evidence = ({ explanation }: Readonly<{ explanation: Explanation }>) => {
  const { t, format } = useWords();
  if (explanation.concepts.length === 0 && explanation.notChecked.length === 0) return null;
  return (
    <div>
      <h2>{t('verdict.evidence')}</h2>
      <dl className="evidence">
        {explanation.concepts.map((concept) => (
          <Fragment key={concept.words}>
            <div className="group">
              <dt>{t(concept.negated ? 'verdict.lookedForAbsent' : 'verdict.lookedFor', { words: concept.words })}</dt>
              <dd className="num">{concept.p === null ? '' : format.score(concept.p)}</dd>
            </div>
            {concept.evidence.map(({ name, score, source }) => (
              <div key={`${source} ${name}`} className="found">
                <dt>{source === 'classifier' ? name : t(`verdict.source.${source}`, { name })}</dt>
                <dd className="num">{format.score(score)}</dd>
              </div>
            ))}
          </Fragment>
        ))}
        {explanation.notChecked.map((word) => (
          <div key={word}>
            <dt className="unchecked">{word}</dt>
            <dd>{t('verdict.notChecked')}</dd>
          </div>
        ))}
      </dl>
    </div>
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
