import type { QualityView } from '../../main/contract/review.ts';
import { useWords } from '../i18n/index.ts';

const width = 400;
/** Few days are not drawn wider than in so many. */
const leastDays = 14;
const height = 172;
const base = height - 4;

/** A bar a day: as tall as its reviews, filled as far as they agreed with the machine. */
export const Agreement = ({ days }: Readonly<{ days: QualityView['agreement'] }>) => {
  const { t, format } = useWords();
  const most = Math.max(1, ...days.map(({ reviews }) => reviews));
  const reviews = days.reduce((sum, day) => sum + day.reviews, 0);
  const agreed = days.reduce((sum, day) => sum + day.agreed, 0);
  const step = width / Math.max(leastDays, days.length);
  const tall = (count: number) => (count / most) * (base - 8);
  return (
    <figure className="quality-chart">
      <figcaption>
        <h2>{t('quality.overTime')}</h2>
        {reviews > 0 && (
          <span className="muted num">
            {t('quality.agreedOf', { share: format.percent(agreed / reviews), count: reviews })}
          </span>
        )}
      </figcaption>
      {days.length > 0 ? (
        <>
          <svg
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={t('quality.overTimeNote')}
          >
            <title>{t('quality.overTimeNote')}</title>
            <line className="floor" x1={0} x2={width} y1={base} y2={base} />
            {days.map((day, index) => (
              <g key={day.day}>
                <title>
                  {t('quality.dayLine', { day: day.day, agreed: format.integer(day.agreed), count: day.reviews })}
                </title>
                <rect
                  className="all"
                  x={index * step + 1}
                  width={step - 3}
                  y={base - tall(day.reviews)}
                  height={tall(day.reviews)}
                />
                <rect
                  className="agreed"
                  x={index * step + 1}
                  width={step - 3}
                  y={base - tall(day.agreed)}
                  height={tall(day.agreed)}
                />
              </g>
            ))}
          </svg>
          <div className="span muted" style={{ width: `${(days.length * step * 100) / width}%` }}>
            <span>{days[0]!.day}</span>
            <span>{days.length > 1 ? days.at(-1)!.day : ''}</span>
          </div>
        </>
      ) : (
        <p className="muted">{t('quality.noReviews')}</p>
      )}
    </figure>
  );
};
