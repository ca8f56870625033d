import './engine.css';
import { useState } from 'react';
import { slaMsOn } from '../../main/contract/settings.ts';
import type { EngineState } from '../../main/contract/views.ts';
import { useEngine, useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { EngineDot } from '../ui/engine-dot.tsx';
import { Gap, Screen } from '../ui/screen.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Callout, Failure } from '../ui/states.tsx';
import { Bench, MeasureButton } from './bench.tsx';
import { Charts } from './charts.tsx';
import { EngineForm } from './engine-form.tsx';
import { Facts } from './facts.tsx';

const tabs = ['live', 'bench'] as const;
type Tab = (typeof tabs)[number];

export const EngineScreen = () => {
  const { t } = useWords();
  const engine = useEngine();
  const [tab, setTab] = useState<Tab>('live');
  return (
    <Screen
      title={t('screen.engine')}
      bar={
        <>
          <Segmented<Tab>
            label={t('engine.view')}
            value={tab}
            options={tabs.map((value) => ({ value, label: t(`engine.tab.${value}`) }))}
            onChange={setTab}
          />
          {engine.data && <State state={engine.data} />}
          <Gap />
          <MeasureButton />
        </>
      }
    >
      {engine.isError ? (
        <div className="content padded">
          <Failure failure={engine.error} retry={() => void engine.refetch()} />
        </div>
      ) : (
        <div className="engine">
          {engine.data && <EngineForm state={engine.data} />}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and may hold nothing that the keyboard could reach. */}
          <section className="live" aria-label={t('screen.engine')} tabIndex={0}>
            {tab === 'bench' ? (
              <Bench />
            ) : (
              <>
                {engine.data && <Live state={engine.data} />}
                <Charts />
                {engine.data && <Facts state={engine.data} />}
              </>
            )}
          </section>
        </div>
      )}
    </Screen>
  );
};

const State = ({ state }: Readonly<{ state: EngineState }>) => {
  const { t } = useWords();
  return (
    <span className="state-line muted">
      <EngineDot status={state.status} />
      {t(`engine.status.${state.status}`)}
    </span>
  );
};

const Live = ({ state }: Readonly<{ state: EngineState }>) => {
  const { t, format, errorText, degradationText } = useWords();
  const { latencyMs, batch, queue, hosts } = state;
  const limit = slaMsOn(state.device?.used ?? 'cpu', useSettings().ladder);
  const figure = (name: string, value: string, unit: string) => (
    <div>
      <dt>{name}</dt>
      <dd className="num">
        <strong>{value}</strong> {unit}
      </dd>
    </div>
  );
  return (
    <>
      {state.error && <Callout tone="bad">{errorText(state.error)}</Callout>}
      {state.degradation.map((rung) => (
        <Callout key={rung.code}>{degradationText(rung)}</Callout>
      ))}
      <dl className="figures-strip">
        {figure(t('engine.photos'), format.rate(state.photosPerSecond), t('engine.perSecond'))}
        {figure(t('engine.p50'), latencyMs ? format.integer(latencyMs.p50) : '–', t('engine.ms'))}
        {figure(
          t('engine.p95'),
          latencyMs ? format.integer(latencyMs.p95) : '–',
          t('engine.msOf', { limit: format.integer(limit) }),
        )}
        {figure(
          t('engine.meanBatch'),
          batch.mean === null ? '–' : format.rate(batch.mean),
          t('engine.waiting', { n: format.integer(queue.waiting) }),
        )}
        {figure(
          t('engine.memory'),
          hosts.inference ? format.bytes(hosts.inference.rssBytes) : '–',
          state.memory ? t('engine.free', { size: format.bytes(state.memory.freeBytes) }) : '',
        )}
      </dl>
    </>
  );
};
