import { Fragment } from 'react';
import type { Explanation } from '../../main/contract/reason.ts';
import { useWords } from '../i18n/index.ts';

/** What was looked for, what was found of it, and which words nothing could check. */
export const Evidence = ({ explanation }: Readonly<{ explanation: Explanation }>) => {
  const { t, format } = useWords();
  if (explanation.concepts.length === 0 && explanation.notChecked.length === 0) return null;
  return (
    <div data-testid="evidence">
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
