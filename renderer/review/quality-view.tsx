import './quality.css';
import type { QualityView as Quality, Share, StatementQuality } from '../../main/contract/review.ts';
import { attempt } from '../data/actions.ts';
import { answerOf, vouch } from '../data/call.ts';
import { useQuality } from '../data/review.ts';
import { i18n, useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Gap, Screen } from '../ui/screen.tsx';
import { EmptyState, Failure, Progress } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { Agreement } from './agreement.tsx';
import { openQueue } from './queue.ts';
import { Reliability } from './reliability.tsx';
import { RiskControl } from './risk-control.tsx';

/** Nothing to tell yet. */
const none = '–';

const exportLog = (format: 'csv' | 'jsonl') =>
  attempt(async () => {
    const written = await answerOf(vouch.review.exportLog({ format }));
    if (written) toast({ title: i18n.t('quality.exported', { count: written.rows }), detail: written.path });
  });

/** What reviews say about the machine, and what error it may make on its own. */
export const QualityView = () => {
  const { t } = useWords();
  const quality = useQuality();
  return (
    <Screen
      title={t('quality.title')}
      bar={
        <>
          <Gap />
          <Button onPress={() => void openQueue({ queue: 'audit' })}>{t('quality.reviewAudit')}</Button>
          <Menu
            label={t('quality.export')}
            entries={[
              { id: 'csv', text: t('quality.exportCsv'), run: () => void exportLog('csv') },
              { id: 'jsonl', text: t('quality.exportJsonl'), run: () => void exportLog('jsonl') },
            ]}
          />
        </>
      }
    >
      <div className="content">
        {quality.isError ? (
          <div className="padded">
            <Failure failure={quality.error} retry={() => void quality.refetch()} />
          </div>
        ) : quality.data ? (
          <Figures quality={quality.data} />
        ) : (
          <div className="padded">
            <Progress label={t('quality.loading')} share={null} />
          </div>
        )}
      </div>
    </Screen>
  );
};

const Figures = ({ quality }: Readonly<{ quality: Quality }>) => {
  const { t, format } = useWords();
  const { audit, speed, reliability } = quality;
  return (
    <div className="quality">
      <dl className="figures">
        <Figure
          name={t('quality.audited')}
          value={format.integer(audit.reviews)}
          note={t('quality.waiting', { count: audit.waiting })}
        />
        <Figure
          name={t('quality.maybe')}
          value={quality.maybe === null ? none : format.percent(quality.maybe)}
          note={t('quality.maybeNote')}
        />
        <Figure
          name={t('quality.speed')}
          value={speed ? format.integer(speed.perHour) : none}
          note={speed ? t('quality.median', { span: format.rate(speed.medianMs / 1000) }) : t('quality.speedNone')}
        />
        <Figure
          name={t('quality.ece')}
          value={reliability ? format.score(reliability.ece) : none}
          note={t('quality.eceNote')}
        />
      </dl>
      <RiskControl quality={quality} />
      <div className="pair-of-charts">
        <Reliability reliability={reliability} />
        <Agreement days={quality.agreement} />
      </div>
      <Statements statements={quality.statements} />
    </div>
  );
};

const Figure = ({ name, value, note }: Readonly<{ name: string; value: string; note: string }>) => (
  <div>
    <dt>{name}</dt>
    <dd className="value num">{value}</dd>
    <dd className="note">{note}</dd>
  </div>
);

/** "0.93" with its interval under it. */
const ShareCell = ({ share }: Readonly<{ share: Share | null }>) => {
  const { t, format } = useWords();
  if (!share) return <span className="muted">{none}</span>;
  return (
    <span title={t('quality.of', { count: share.of })}>
      {format.percent(share.value)}{' '}
      <span className="muted">
        {t('quality.interval', { low: format.percent(share.low), high: format.percent(share.high) })}
      </span>
    </span>
  );
};

const Statements = ({ statements }: Readonly<{ statements: readonly StatementQuality[] }>) => {
  const { t, format } = useWords();
  if (statements.length === 0)
    return <EmptyState title={t('quality.noStatements')}>{t('statements.noSetsHint')}</EmptyState>;
  return (
    <section>
      <h2>{t('quality.statements')}</h2>
      <p className="muted small">{t('quality.statementsNote')}</p>
      <table className="table">
        <thead>
          <tr>
            <th>{t('statements.statement')}</th>
            <th className="figure">{t('quality.verdicts')}</th>
            <th className="figure">{t('quality.maybe')}</th>
            <th className="figure">{t('quality.auditedShort')}</th>
            <th className="figure">{t('quality.precision')}</th>
            <th className="figure">{t('quality.recall')}</th>
            <th className="figure">{t('quality.agreement')}</th>
          </tr>
        </thead>
        <tbody>
          {statements.map((one) => (
            <tr key={one.statementId}>
              <td>
                {one.statement}
                {one.dependsOnPhoto === false && (
                  <span className="mark-blind" title={t('quality.blankNote')}>
                    {t('quality.blank')}
                  </span>
                )}
              </td>
              <td className="figure">{format.integer(one.pairs)}</td>
              <td className="figure">{one.maybe === null ? none : format.percent(one.maybe)}</td>
              <td className="figure">{format.integer(one.audited)}</td>
              <td className="figure">
                <ShareCell share={one.precision} />
              </td>
              <td className="figure">
                <ShareCell share={one.recall} />
              </td>
              <td className="figure">
                <ShareCell share={one.agreement} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
