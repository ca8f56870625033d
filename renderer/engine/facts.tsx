import type { ReactNode } from 'react';
import type { EngineState } from '../../main/contract/views.ts';
import { useWords } from '../i18n/index.ts';
import { LadderHistory } from './ladder.tsx';
import { passedOverText } from './notes.ts';

/** The proof that the device really ran, and the processes behind it. */
export const Facts = ({ state }: Readonly<{ state: EngineState }>) => {
  const { t, format, deviceName } = useWords();
  const { device, model, hosts, statementCache } = state;
  const row = (name: string, value: ReactNode) => (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
  return (
    <div className="proof">
      {device && (
        <section>
          <h2 className="heading-s">{t('engine.proof')}</h2>
          <dl className="pairs-of">
            {row(t('engine.asked'), deviceName(device.requested))}
            {row(
              t('engine.used'),
              device.index > 0
                ? t('engine.usedIndex', { device: deviceName(device.used), index: device.index })
                : deviceName(device.used),
            )}
            {device.passedOver.length > 0 && row(t('engine.notUsed'), passedOverText(device.passedOver).join(' '))}
            {row(
              t('engine.placement'),
              t('engine.nodes', {
                on: format.integer(device.proof.nodesOnDevice),
                all: format.integer(device.proof.nodesInAll),
                device: deviceName(device.used),
              }),
            )}
            {row(t('engine.probe'), format.ms(device.proof.probeMs))}
            {row(
              t('engine.agreement'),
              device.proof.maxDifference === 0
                ? t('engine.agreesWholly')
                : t(device.proof.agreesWithCpu ? 'engine.agrees' : 'engine.differs', {
                    difference: device.proof.maxDifference.toExponential(1),
                  }),
            )}
          </dl>
        </section>
      )}
      <section>
        <h2 className="heading-s">{t('engine.behind')}</h2>
        <dl className="pairs-of">
          {model &&
            row(
              t('engine.pack'),
              <span className="selectable" title={model.sha256}>
                {model.id} {model.version}, {model.licence}
              </span>,
            )}
          {model && row(t('engine.languages'), format.list(model.languages.map(format.language)))}
          {state.runtime && row(t('engine.runtime'), state.runtime)}
          {row(t('engine.threads'), format.integer(state.threads))}
          {statementCache &&
            row(
              t('engine.statementCache'),
              t('engine.cacheHits', {
                hits: format.integer(statementCache.hits),
                all: format.integer(statementCache.hits + statementCache.misses),
              }),
            )}
          {hosts.inference &&
            row(
              t('engine.inferenceHost'),
              t('engine.host', {
                pid: hosts.inference.pid,
                size: format.bytes(hosts.inference.rssBytes),
                restarts: t('count.restarts', { count: hosts.inference.restarts }),
              }),
            )}
          {row(
            t('engine.imageHosts'),
            t('engine.images', {
              n: format.integer(hosts.images.count),
              decoder: hosts.images.decoder ?? t('engine.notYet'),
              restarts: t('count.restarts', { count: hosts.images.restarts }),
            }),
          )}
        </dl>
      </section>
      <LadderHistory past={state.pastDegradation} />
    </div>
  );
};
