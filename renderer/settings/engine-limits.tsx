import { type HostPriority, hostPriorities, limits } from '../../main/contract/settings.ts';
import { changeSettings, configureEngine } from '../data/actions.ts';
import { useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { NumberField, Switch } from '../ui/fields.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Setting } from './setting.tsx';

/** The limits in the order of the ladder's rungs; long ones are shown in seconds. */
const ladderFields: readonly Readonly<{ key: keyof typeof limits.ladder; seconds?: boolean }>[] = [
  { key: 'interactiveCpuMs' },
  { key: 'interactiveGpuMs' },
  { key: 'bulkMs' },
  { key: 'slaCpuMs' },
  { key: 'slaGpuMs' },
  { key: 'breakerAfter' },
  { key: 'breakerPauseMs', seconds: true },
  { key: 'memoryEveryMs', seconds: true },
  { key: 'memoryFirst' },
  { key: 'memorySecond' },
  { key: 'memoryPoints' },
  { key: 'memoryCalmMs', seconds: true },
  { key: 'calmMs', seconds: true },
  { key: 'probeAgainMs', seconds: true },
];

/** Each from 0, which leaves the choice to Vouch or takes the first. */
const hostFields = [
  { key: 'deviceIndex', words: 'deviceIndex', step: 1 },
  { key: 'threads', words: 'threads', step: 1 },
  { key: 'hostMemoryMb', words: 'memory', step: 256 },
] as const;

/** How the hosts share the machine, and when the engine steps down its ladder. */
export const EngineLimits = () => {
  const { t } = useWords();
  const { engine, ladder } = useSettings();
  return (
    <>
      <section>
        <h2>{t('settings.hosts.title')}</h2>
        <Setting name={t('settings.hosts.priority')} note={t('settings.hosts.priorityNote')}>
          <Segmented<HostPriority>
            label={t('settings.hosts.priority')}
            value={engine.priority}
            options={hostPriorities.map((value) => ({ value, label: t(`settings.hosts.${value}`) }))}
            onChange={(priority) => void configureEngine({ priority })}
          />
        </Setting>
        {hostFields.map(({ key, words, step }) => (
          <Setting key={key} name={t(`settings.hosts.${words}`)} note={t(`settings.hosts.${words}Note`)}>
            <NumberField
              hideLabel
              label={t(`settings.hosts.${words}`)}
              value={engine[key]}
              {...limits.engine[key]}
              step={step}
              onChange={(value) => value !== null && void configureEngine({ [key]: value })}
            />
          </Setting>
        ))}
        <Switch selected={engine.keepAwake} onChange={(keepAwake) => void configureEngine({ keepAwake })}>
          {t('settings.hosts.keepAwake')}
        </Switch>
        <Switch selected={engine.tryPrecisions} onChange={(tryPrecisions) => void configureEngine({ tryPrecisions })}>
          {t('settings.hosts.tryPrecisions')}
        </Switch>
      </section>
      <section>
        <h2>{t('settings.ladder.title')}</h2>
        {ladderFields.map(({ key, seconds = false }) => {
          const unit = seconds ? 1000 : 1;
          const { min, max } = limits.ladder[key];
          return (
            <Setting key={key} name={t(`settings.ladder.${key}`)}>
              <NumberField
                hideLabel
                label={t(`settings.ladder.${key}`)}
                value={ladder[key] / unit}
                min={min / unit}
                max={max / unit}
                step={seconds ? 0.1 : 1}
                digits={seconds ? 1 : 0}
                onChange={(value) =>
                  value !== null && void changeSettings({ ladder: { [key]: Math.round(value * unit) } })
                }
              />
            </Setting>
          );
        })}
      </section>
    </>
  );
};
