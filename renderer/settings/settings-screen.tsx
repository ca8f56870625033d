import './settings.css';
import { useEffect, useState } from 'react';
import { defaultSettings, limits, type Settings } from '../../main/contract/settings.ts';
import { themeChoices } from '../../main/contract/themes.ts';
import { changeSettings } from '../data/actions.ts';
import { useInfo, useSettings } from '../data/queries.ts';
import { languages, useWords } from '../i18n/index.ts';
import { NumberField, Switch, TextField } from '../ui/fields.tsx';
import { Screen } from '../ui/screen.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { EngineLimits } from './engine-limits.tsx';
import { KeyEditor } from './key-editor.tsx';
import { Setting } from './setting.tsx';

export const SettingsScreen = () => {
  const { t } = useWords();
  const settings = useSettings();
  return (
    <Screen title={t('screen.settings')}>
      <div className="content">
        <div className="settings">
          <section>
            <h2>{t('settings.appearance')}</h2>
            <Setting name={t('settings.theme')}>
              <Segmented<Settings['theme']>
                label={t('settings.theme')}
                value={settings.theme}
                options={themeChoices.map((value) => ({ value, label: t(`settings.themes.${value}`) }))}
                onChange={(theme) => void changeSettings({ theme })}
              />
            </Setting>
            <Setting name={t('settings.language')}>
              <Segmented<Settings['language']>
                label={t('settings.language')}
                value={settings.language}
                options={[
                  ...languages.map((value) => ({ value, label: <span lang={value}>{t(`language.${value}`)}</span> })),
                  { value: 'system', label: t('settings.system') },
                ]}
                onChange={(language) => void changeSettings({ language })}
              />
            </Setting>
          </section>
          <section>
            <h2>{t('settings.background')}</h2>
            <Switch
              selected={settings.notifications}
              onChange={(notifications) => void changeSettings({ notifications })}
            >
              {t('settings.notifications')}
            </Switch>
          </section>
          <Judging settings={settings} />
          <Tags settings={settings} />
          <EngineLimits />
          <Reviewer name={settings.review.reviewer} />
          <KeyEditor />
          <About />
        </div>
      </div>
    </Screen>
  );
};

const Judging = ({ settings }: Readonly<{ settings: Settings }>) => {
  const { t } = useWords();
  const { prescreen } = settings;
  const limit = (key: keyof typeof limits.prescreen, digits = 0) => (
    <Setting name={t(`settings.prescreen.${key}`)} note={t(`settings.prescreen.${key}Note`)}>
      <NumberField
        hideLabel
        label={t(`settings.prescreen.${key}`)}
        value={prescreen[key]}
        {...limits.prescreen[key]}
        step={digits > 0 ? 0.5 : 1}
        digits={digits}
        disabled={!prescreen.enabled}
        onChange={(value) => value !== null && void changeSettings({ prescreen: { [key]: value } })}
      />
    </Setting>
  );
  return (
    <section>
      <h2>{t('settings.prescreen.title')}</h2>
      <Switch selected={prescreen.enabled} onChange={(enabled) => void changeSettings({ prescreen: { enabled } })}>
        {t('settings.prescreen.enabled')}
      </Switch>
      {limit('blur')}
      {limit('flat', 1)}
      {limit('small')}
    </section>
  );
};

const Tags = ({ settings }: Readonly<{ settings: Settings }>) => {
  const { t } = useWords();
  return (
    <section>
      <h2>{t('settings.tags.title')}</h2>
      <Switch
        selected={settings.tags.lowestGrade === 'medium'}
        onChange={(medium) => void changeSettings({ tags: { lowestGrade: medium ? 'medium' : 'high' } })}
      >
        {t('settings.tags.medium')}
      </Switch>
      <Typed
        name={t('settings.tags.prefix')}
        note={t('settings.tags.prefixNote', { keyword: `${settings.tags.prefix}|dog` })}
        value={settings.tags.prefix}
        placeholder={defaultSettings.tags.prefix}
        keep={(prefix) => void changeSettings({ tags: { prefix: prefix || defaultSettings.tags.prefix } })}
      />
    </section>
  );
};

type TypedProps = Readonly<{
  name: string;
  note: string;
  value: string;
  placeholder?: string;
  keep: (text: string) => void;
}>;

/** A line of text, kept when the field is left. */
const Typed = ({ name, note, value, placeholder, keep }: TypedProps) => {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <Setting name={name} note={note}>
      <div className="typed">
        <TextField
          hideLabel
          label={name}
          value={typed}
          maxLength={100}
          placeholder={placeholder}
          onChange={setTyped}
          onBlur={() => typed.trim() !== value && keep(typed.trim())}
        />
      </div>
    </Setting>
  );
};

const Reviewer = ({ name }: Readonly<{ name: string }>) => {
  const { t } = useWords();
  return (
    <section>
      <h2>{t('screen.review')}</h2>
      <Typed
        name={t('settings.reviewer')}
        note={t('settings.reviewerNote')}
        value={name}
        placeholder={t('settings.reviewerPlaceholder')}
        keep={(reviewer) => void changeSettings({ review: { reviewer } })}
      />
    </section>
  );
};

const About = () => {
  const { t } = useWords();
  const info = useInfo().data;
  if (!info) return null;
  return (
    <section>
      <h2>{t('settings.about')}</h2>
      <dl className="pairs-of">
        <dt>{t('settings.version')}</dt>
        <dd className="selectable">{info.version}</dd>
        <dt>{t('settings.runtime')}</dt>
        <dd className="selectable">{t('settings.runtimeLine', info.runtime)}</dd>
        <dt>{t('settings.home')}</dt>
        <dd className="selectable">{info.home}</dd>
      </dl>
      <p className="muted">{t('settings.offline')}</p>
    </section>
  );
};
