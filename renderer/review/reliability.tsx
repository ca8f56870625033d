import type { QualityView } from '../../main/contract/review.ts';
import { useWords } from '../i18n/index.ts';

const side = 200;
const pad = 28;
const at = (share: number) => pad + share * (side - pad - 8);
const up = (share: number) => side - at(share);

/** Mean p(yes) of each bin against the share that was yes: on the diagonal the model means what it says. */
export const Reliability = ({ reliability }: Readonly<{ reliability: QualityView['reliability'] }>) => {
  const { t, format } = useWords();
  const largest = Math.max(1, ...(reliability?.bins.map(({ size }) => size) ?? []));
  return (
    <figure className="quality-chart">
      <figcaption>
        <h2>{t('quality.reliability')}</h2>
        {reliability && <span className="muted num">{t('quality.eceOf', { ece: format.score(reliability.ece) })}</span>}
      </figcaption>
      {reliability ? (
        <svg viewBox={`0 0 ${side} ${side}`} role="img" aria-label={t('quality.reliabilityNote')}>
          <title>{t('quality.reliabilityNote')}</title>
          {[0, 0.5, 1].map((tick) => (
            <g key={tick} className="tick">
              <line x1={at(tick)} x2={at(tick)} y1={up(0)} y2={up(1)} />
              <line x1={at(0)} x2={at(1)} y1={up(tick)} y2={up(tick)} />
              <text x={at(tick)} y={side - 12} textAnchor="middle">
                {format.rate(tick)}
              </text>
              <text x={pad - 6} y={up(tick) + 3} textAnchor="end">
                {format.rate(tick)}
              </text>
            </g>
          ))}
          <line className="diagonal" x1={at(0)} y1={up(0)} x2={at(1)} y2={up(1)} />
          <polyline
            className="curve"
            points={reliability.bins.map(({ predicted, observed }) => `${at(predicted)},${up(observed)}`).join(' ')}
          />
          {reliability.bins.map(({ predicted, observed, size }) => (
            <circle
              key={predicted}
              className="bin"
              cx={at(predicted)}
              cy={up(observed)}
              r={2 + 3 * Math.sqrt(size / largest)}
            >
              <title>
                {t('quality.bin', {
                  predicted: format.score(predicted),
                  observed: format.score(observed),
                  count: size,
                })}
              </title>
            </circle>
          ))}
        </svg>
      ) : (
        <p className="muted">{t('quality.noAudit')}</p>
      )}
    </figure>
  );
};
