import type { QualityView, RiskPlan } from '../../main/contract/review.ts';
import { failedWith } from '../../main/failure.ts';
import { attempt, reportFailure } from '../data/actions.ts';
import { answerOf, vouch } from '../data/call.ts';
import { setQuality, useRisk } from '../data/review.ts';
import { i18n, useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { NumberField } from '../ui/fields.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Callout, Failure, Progress } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { useDeciding } from './deciding.ts';
import { openQueue } from './queue.ts';

const usual = [0.01, 0.02, 0.05, 0.1] as const;
const drawnAtOnce = 50;

const choose = (target: number) => useDeciding.setState({ target });

const apply = async (target: number | null): Promise<void> => {
  const requestId = crypto.randomUUID();
  useDeciding.setState({ requestId, progress: null });
  try {
    setQuality(await answerOf(vouch.quality.setRisk({ target }, { requestId })));
    toast({ title: i18n.t(target === null ? 'risk.ended' : 'risk.applied') });
  } catch (failure) {
    if (failedWith(failure, 'cancelled')) toast({ title: i18n.t('risk.cancelled') });
    else reportFailure(failure);
  } finally {
    useDeciding.setState({ requestId: null, progress: null });
  }
};

/** How far it is with deciding everything again, and the way out. */
const Deciding = () => {
  const { t, format } = useWords();
  const { requestId, progress } = useDeciding();
  if (requestId === null && progress === null) return null;
  const words = progress && { done: format.integer(progress.done), total: format.integer(progress.total) };
  return (
    <div className="deciding-again">
      <div className="line">
        <span role="status">{t(progress?.goingBack ? 'risk.goingBack' : 'risk.deciding')}</span>
        <span className="muted num">{words && t('risk.progressText', words)}</span>
        {progress && progress.etaMs !== null && (
          <span className="muted num">{t('run.left', { span: format.span(progress.etaMs) })}</span>
        )}
        <span className="grow" />
        {requestId !== null && (
          <Button isDisabled={progress?.goingBack ?? false} onPress={() => vouch.cancel(requestId)}>
            {t('action.cancel')}
          </Button>
        )}
      </div>
      <Progress
        label={t('risk.deciding')}
        share={progress && progress.total > 0 ? progress.done / progress.total : null}
      />
    </div>
  );
};

const draw = (count: number) =>
  attempt(async () => {
    const { drawn } = await answerOf(vouch.review.drawAudit({ count }));
    toast({
      title: i18n.t('risk.drawn', { count: drawn }),
      action: { text: i18n.t('quality.reviewAudit'), run: () => void openQueue({ queue: 'audit' }) },
    });
  });

/** The error accepted for automatic decisions, and what it buys. */
export const RiskControl = ({ quality }: Readonly<{ quality: QualityView }>) => {
  const { t, format } = useWords();
  const chosen = useDeciding((state) => state.target);
  const target = chosen ?? quality.risk?.target ?? 0.05;
  const plan = useRisk(target);
  const active = quality.risk?.target ?? null;
  const busy = useDeciding(({ requestId, progress }) => requestId !== null || progress !== null);
  return (
    <section className="risk">
      <div className="risk-head">
        <h2>{t('risk.title')}</h2>
        <p className="muted">{t('risk.note')}</p>
      </div>
      <div className="risk-choice">
        <Segmented<string>
          label={t('risk.target')}
          value={String(target)}
          options={usual.map((value) => ({ value: String(value), label: format.percent(value) }))}
          onChange={(value) => choose(Number(value))}
        />
        <NumberField
          hideLabel
          label={t('risk.targetPercent')}
          value={target * 100}
          min={0.1}
          max={50}
          step={0.1}
          digits={1}
          onChange={(value) => value !== null && choose(Math.min(0.5, Math.max(0.001, value / 100)))}
        />
        <span className="muted">{t('risk.percentWrong')}</span>
        <span className="grow" />
        <Button
          kind="primary"
          isDisabled={busy || !plan.data?.thresholds || active === target}
          onPress={() => void apply(target)}
        >
          {t('risk.apply')}
        </Button>
        <Button isDisabled={busy || active === null} onPress={() => void apply(null)}>
          {t('risk.end')}
        </Button>
      </div>
      <Deciding />
      {plan.isError ? (
        <Failure failure={plan.error} />
      ) : (
        plan.data && <Plan plan={plan.data} all={quality.audit.reviews} active={active} />
      )}
    </section>
  );
};

type PlanProps = Readonly<{
  plan: RiskPlan;
  /** Audit reviews there are, whatever they go into. */
  all: number;
  active: number | null;
}>;

const Plan = ({ plan, all, active }: PlanProps) => {
  const { t, format } = useWords();
  const { target, missing, reviews, thresholds, decided, error, unkept } = plan;
  const share = (of: NonNullable<RiskPlan['decided']>) =>
    t('risk.share', {
      share: format.percent(of.value),
      low: format.percent(of.low),
      high: format.percent(of.high),
    });
  return (
    <>
      <dl className="plan">
        <dt>{t('risk.state')}</dt>
        <dd>{active === null ? t('risk.off') : t('risk.on', { target: format.percent(active) })}</dd>
        <dt>{t('risk.reviews')}</dt>
        <dd className="num">
          {reviews < all
            ? t('risk.someReviews', { reviews: format.integer(reviews), all: format.integer(all) })
            : format.integer(reviews)}
        </dd>
        {thresholds && (
          <>
            <dt>{t('risk.thresholds')}</dt>
            <dd className="num">
              {t('risk.thresholdPair', { yes: format.score(thresholds.yes), no: format.score(thresholds.no) })}
            </dd>
          </>
        )}
        {decided && (
          <>
            <dt>{t('risk.decided')}</dt>
            <dd className="num">
              {share(decided)}
              {t('risk.rest')}
            </dd>
          </>
        )}
        {error && (
          <>
            <dt>{t('risk.error')}</dt>
            <dd className="num">{share(error)}</dd>
          </>
        )}
      </dl>
      {missing > 0 ? (
        <Callout
          tone="info"
          action={
            <Button onPress={() => void draw(Math.max(drawnAtOnce, missing))}>
              {t('risk.draw', { count: Math.max(drawnAtOnce, missing) })}
            </Button>
          }
        >
          {t('risk.missing', { count: missing })}
        </Callout>
      ) : (
        unkept && (
          <Callout
            action={<Button onPress={() => void draw(drawnAtOnce)}>{t('risk.draw', { count: drawnAtOnce })}</Button>}
          >
            {t('risk.none', { target: format.percent(target) })}{' '}
            {unkept.surest > 0 && t('risk.surest', { count: unkept.surest, wrong: format.integer(unkept.wrong) })}{' '}
            {unkept.least === null ? t('risk.noLeast') : t('risk.least', { least: format.percent(unkept.least) })}
          </Callout>
        )
      )}
    </>
  );
};
