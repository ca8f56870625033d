import { type Label, labels, type Probabilities } from '../../main/contract/labels.ts';
import { useWords } from '../i18n/index.ts';

const order: readonly Label[] = ['yes', 'maybe', 'no'];
type Props = Readonly<{ p: Probabilities; thresholds?: Readonly<{ yes: number; no: number }> }>;

/** p(yes), p(maybe) and p(no) as bars; a mark where a decision begins. */
export const ConfidenceBars = ({ p, thresholds }: Props) => {
  const { t, format } = useWords();
  return (
    <dl className="bars" data-testid="bars">
      {order.slice(0, labels.length).map((label) => {
        const limit = label === 'maybe' ? undefined : thresholds?.[label];
        return (
          <div key={label} className={label} style={{ display: 'contents' }}>
            <dt>{t(`likely.${label}`)}</dt>
            <div className="track" aria-hidden>
              {p[label] > 0 && <div className="fill" style={{ width: `${p[label] * 100}%` }} />}
              {limit !== undefined && (
                <div
                  className="mark"
                  style={{ left: `${limit * 100}%` }}
                  title={t('verdict.threshold', { value: format.score(limit) })}
                />
              )}
            </div>
            <dd className="num">{format.score(p[label])}</dd>
          </div>
        );
      })}
    </dl>
  );
};
