import { useEffect, useState } from 'react';
import { type Device, devices, type Precision, precisions } from '../../main/contract/labels.ts';
import type { EngineState } from '../../main/contract/views.ts';
import { configureEngine } from '../data/actions.ts';
import { useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Field, Slider } from '../ui/fields.tsx';
import { type Segment, Segmented } from '../ui/segmented.tsx';
import { Ladder } from './ladder.tsx';
import { batchNote, deviceNote, inputSizeNote, precisionNote } from './notes.ts';

const sizes = [1, 2, 4, 8, 16, 32] as const;

const DelaySlider = ({ delay }: Readonly<{ delay: number }>) => {
  const { t, format } = useWords();
  const [shown, setShown] = useState(delay);
  useEffect(() => setShown(delay), [delay]);
  return (
    <Slider
      label={t('engine.maxDelay')}
      value={shown}
      min={0}
      max={100}
      step={1}
      show={format.ms}
      onChange={setShown}
      onRest={(maxDelayMs) => void configureEngine({ maxDelayMs })}
    />
  );
};

/** A choice only where there is one: in the pack, or in a size asked for that it lacks. */
const InputSize = ({ state }: Readonly<{ state: EngineState['inputSize'] }>) => {
  const { t } = useWords();
  const asked = useSettings().engine.inputSize;
  const pixels = (size: number) => t('engine.pixels', { size });
  const sizes = [...new Set([...(state?.available ?? []), ...(asked === 'auto' ? [] : [asked])])];
  return (
    <Field
      label={t('engine.inputSize')}
      value={state ? pixels(state.used) : t('engine.notYet')}
      note={inputSizeNote(state, asked)}
    >
      {(sizes.length > 1 || asked !== 'auto') && (
        <Segmented
          label={t('engine.inputSize')}
          value={String(asked)}
          options={[
            { value: 'auto', label: t('engine.auto') },
            ...sizes.map((size) => ({ value: String(size), label: String(size), name: pixels(size) })),
          ]}
          onChange={(value) => void configureEngine({ inputSize: value === 'auto' ? 'auto' : Number(value) })}
        />
      )}
    </Field>
  );
};

/** What the engine is asked for, and under each what it really does. */
export const EngineForm = ({ state }: Readonly<{ state: EngineState }>) => {
  const { t, format, deviceName } = useWords();
  const asked = useSettings().engine;
  const auto = <V extends string>(value: V): Segment<V> => ({ value, label: t('engine.auto') });

  const offered = devices.filter((device) => state.devices.includes(device) || device === asked.device);
  const available = state.precision?.available ?? [];
  const batchSizes = [...new Set([...sizes, ...(asked.batch === 'auto' ? [] : [asked.batch])])]
    .filter((size) => size <= Math.max(state.batch.max, asked.batch === 'auto' ? 1 : asked.batch))
    .sort((a, b) => a - b);
  const { device } = state;

  return (
    <div className="form">
      <Field
        label={t('engine.device')}
        value={device ? t('engine.proved', { device: deviceName(device.used) }) : t('engine.notYet')}
        note={deviceNote(device)}
      >
        <Segmented<Device | 'auto'>
          label={t('engine.device')}
          value={asked.device}
          options={[auto('auto'), ...offered.map((value) => ({ value, label: deviceName(value) }))]}
          columns={offered.length > 3 ? 3 : undefined}
          onChange={(value) => void configureEngine({ device: value })}
        />
      </Field>
      <Field
        label={t('engine.precision')}
        value={state.precision?.used ?? t('engine.notYet')}
        note={precisionNote(state.precision)}
      >
        <Segmented<Precision | 'auto'>
          label={t('engine.precision')}
          value={asked.precision}
          options={[
            auto('auto'),
            ...precisions
              .filter((value) => available.includes(value) || value === asked.precision)
              .map((value) => ({ value, label: value })),
          ]}
          onChange={(value) => void configureEngine({ precision: value })}
        />
      </Field>
      <InputSize state={state.inputSize} />
      <Field label={t('engine.batch')} value={format.integer(state.batch.size)} note={batchNote(state.batch)}>
        <Segmented
          label={t('engine.batch')}
          value={String(asked.batch)}
          options={[
            auto('auto' as string),
            ...batchSizes.map((size) => ({ value: String(size), label: format.integer(size) })),
          ]}
          onChange={(value) => void configureEngine({ batch: value === 'auto' ? 'auto' : Number(value) })}
        />
      </Field>
      <div className="field">
        <DelaySlider delay={asked.maxDelayMs} />
        <div className="note">{t('engine.maxDelayNote')}</div>
      </div>
      <Ladder state={state} />
    </div>
  );
};
