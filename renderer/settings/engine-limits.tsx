import { type HostPriority, hostPriorities, type LadderSettings } from '../../main/contract/settings.ts';
import { changeSettings, configureEngine } from '../data/actions.ts';
import { useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { NumberField, Switch } from '../ui/fields.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Setting } from './setting.tsx';

type Limit = Readonly<{ key: Exclude<keyof LadderSettings, 'pinned'>; min: number; max: number; seconds?: boolean }>;

/** In the order of the ladder's rungs. Long times are shown in seconds. */
const limits: readonly Limit[] = [
  { key: 'interactiveCpuMs', min: 100, max: 600_000 },
  { key: 'interactiveGpuMs', min: 100, max: 600_000 },
  { key: 'bulkMs', min: 100, max: 600_000 },
  { key: 'slaCpuMs', min: 10, max: 600_000 },
  { key: 'slaGpuMs', min: 10, max: 600_000 },
  { key: 'breakerAfter', min: 1, max: 1000 },
  { key: 'breakerPauseMs', min: 1000, max: 600_000, seconds: true },
  { key: 'memoryEveryMs', min: 1000, max: 600_000, seconds: true },
  { key: 'memoryFirst', min: 1, max: 100 },
  { key: 'memorySecond', min: 1, max: 100 },
  { key: 'memoryPoints', min: 0, max: 50 },
  { key: 'memoryCalmMs', min: 1000, max: 3_600_000, seconds: true },
  { key: 'calmMs', min: 1000, max: 3_600_000, seconds: true },
  { key: 'probeAgainMs', min: 1000, max: 3_600_000, seconds: true },
];

/** Each from 0, which leaves the choice to Vouch or takes the first. */
const hostNumbers = [
  { key: 'deviceIndex', words: 'deviceIndex', max: 99, step: 1 },
  { key: 'threads', words: 'threads', max: 256, step: 1 },
  { key: 'hostMemoryMb', words: 'memory', max: 1_000_000, step: 256 },
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
        {hostNumbers.map(({ key, words, max, step }) => (
          <Setting key={key} name={t(`settings.hosts.${words}`)} note={t(`settings.hosts.${words}Note`)}>
            <NumberField
              hideLabel
              label={t(`settings.hosts.${words}`)}
              value={engine[key]}
              min={0}
              max={max}
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
        {limits.map(({ key, min, max, seconds = false }) => {
          const unit = seconds ? 1000 : 1;
          return (
            <Setting key={key} name={t(`settings.ladder.${key}`)}>
              <NumberField
                hideLabel
                label={t(`settings.ladder.${key}`)}
                value={ladder[key] / unit}
                min={min / unit}
                max={max / unit}
                onChange={(value) => value !== null && void changeSettings({ ladder: { [key]: value * unit } })}
              />
            </Setting>
          );
        })}
      </section>
    </>
  );
};
