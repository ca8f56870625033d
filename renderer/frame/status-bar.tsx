import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import type { ScreenName } from '../../main/contract/screen-names.ts';
import type { Run } from '../../main/contract/views.ts';
import { useEngine, useRun } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { EngineDot } from '../ui/engine-dot.tsx';
import { Progress } from '../ui/states.tsx';
import { useUi } from '../ui-state.ts';

type FigureProps = Readonly<{ to: ScreenName; className?: string; children: ReactNode }>;

/** One figure; pressing it opens the screen that explains it. */
const Figure = ({ to, className = '', children }: FigureProps) => {
  const show = useUi((state) => state.show);
  return (
    <Button className={`figure ${className}`} onPress={() => show(to)}>
      {children}
    </Button>
  );
};

const RunFigure = ({ run }: Readonly<{ run: Run }>) => {
  const { t, format, errorText } = useWords();
  const { found, done } = run.photos;
  const words = {
    done: format.integer(done),
    found: format.integer(found),
    left: run.etaMs === null ? '' : t('run.left', { span: format.span(run.etaMs) }),
  };
  const active = run.status === 'running' || run.status === 'paused';
  const text =
    run.status === 'failed' && run.error
      ? errorText(run.error)
      : t(`run.line.${run.status === 'running' && run.discovering ? 'discovering' : run.status}`, words);
  return (
    <Figure to="library" className="run">
      {active && (
        <Progress
          label={t('run.progress')}
          share={run.discovering && found === 0 ? null : found > 0 ? done / found : 0}
          paused={run.status === 'paused'}
        />
      )}
      <span className={run.status === 'failed' ? 'clip bad' : 'clip num'}>{text}</span>
    </Figure>
  );
};

export const StatusBar = () => {
  const { t, format, deviceName, degradationText } = useWords();
  const engine = useEngine().data;
  const run = useRun().data;
  if (!engine) return <footer className="status" />;
  const { device, precision, batch, queue, degradation } = engine;
  return (
    <footer className="status">
      <Figure to="engine">
        <EngineDot status={engine.status} />
        {engine.model ? <b>{engine.model.id}</b> : t(`engine.status.${engine.status}`)}
      </Figure>
      {device && (
        <Figure to="engine" className={device.fallbackReason ? 'warn' : ''}>
          {deviceName(device.used)} <b>{t(device.fallbackReason ? 'status.fallback' : 'status.proved')}</b>
        </Figure>
      )}
      {precision && <Figure to="engine">{precision.used}</Figure>}
      {device && (
        <Figure to="engine">
          {t('status.batch')} <b className="num">{format.integer(batch.size)}</b>
          {batch.mode === 'auto' && ` ${t('status.auto')}`}
        </Figure>
      )}
      <Figure to="engine">
        {t('status.queue')} <b className="num">{format.integer(queue.waiting)}</b>
      </Figure>
      <Figure to="engine">
        <b className="num">{format.rate(engine.photosPerSecond)}</b> {t('status.rate')}
      </Figure>
      {degradation.map((rung) => (
        <Figure key={rung.code} to="engine" className="warn">
          {degradationText(rung)}
        </Figure>
      ))}
      {run && <RunFigure run={run} />}
    </footer>
  );
};
