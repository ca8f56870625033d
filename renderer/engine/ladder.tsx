import type { PastDegradation, Rung } from '../../main/contract/degradation.ts';
import type { EngineState } from '../../main/contract/views.ts';
import { changeSettings } from '../data/actions.ts';
import { useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { JudgeAgain } from '../photo/judge-again.tsx';
import { Field } from '../ui/fields.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { When } from '../ui/text.tsx';

const pins = ['none', '1', '2', '3', '4'] as const;
type Pin = (typeof pins)[number];
const toRung = (pin: Pin): Rung | null => (pin === 'none' ? null : (Number(pin) as Rung));

/** Where the engine stands on its ladder, and a rung held by hand. */
export const Ladder = ({ state }: Readonly<{ state: EngineState }>) => {
  const { t, degradationText } = useWords();
  const { pinned } = useSettings().ladder;
  const last = state.pastDegradation.at(0);
  const normal = state.degradation.length === 0;
  return (
    <Field
      label={t('engine.ladder')}
      value={t(normal ? 'engine.normal' : 'engine.degraded')}
      note={t(pinned === null ? 'engine.pinNote' : `engine.rung.${pinned}`)}
    >
      <Segmented<Pin>
        label={t('engine.pin')}
        value={pinned === null ? 'none' : (String(pinned) as Pin)}
        options={pins.map((value) => ({
          value,
          label: value === 'none' ? t('engine.auto') : value,
          name: value === 'none' ? t('engine.pinNone') : t(`engine.rung.${value}`),
        }))}
        onChange={(value) => void changeSettings({ ladder: { pinned: toRung(value) } })}
      />
      <JudgeAgain />
      {(!normal || last) && (
        <ul className="rungs">
          {state.degradation.map((rung) => (
            <li key={rung.code} className="warn">
              {degradationText(rung)} <When at={rung.since} />
            </li>
          ))}
          {normal && last && (
            <li className="muted">
              {t('engine.lastStep', { what: degradationText(last) })} <When at={last.until} />
            </li>
          )}
        </ul>
      )}
    </Field>
  );
};

const shownSteps = 20;

/** The steps down that are over, the newest first. */
export const LadderHistory = ({ past }: Readonly<{ past: readonly PastDegradation[] }>) => {
  const { t, format, degradationText } = useWords();
  if (past.length === 0) return null;
  return (
    <section>
      <h2 className="heading-s">{t('engine.history')}</h2>
      <dl className="pairs-of">
        {past.slice(0, shownSteps).map((step) => (
          <div key={`${step.code} ${step.cause} ${step.since}`} className="pair">
            <dt>
              <When at={step.since} />
            </dt>
            <dd>
              {degradationText(step)}, {t('engine.lasted', { span: format.span(step.until - step.since) })}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
