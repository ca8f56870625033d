import { Search, X } from 'lucide-react';
import type { KeyboardEventHandler, ReactNode, Ref } from 'react';
import {
  Button as AriaButton,
  NumberField as AriaNumber,
  SearchField as AriaSearch,
  Slider as AriaSlider,
  Switch as AriaSwitch,
  TextField as AriaText,
  TextArea as AriaTextArea,
  Input,
  Label,
  SliderOutput,
  SliderThumb,
  SliderTrack,
  Text,
} from 'react-aria-components';
import { useWords } from '../i18n/index.ts';
import { KeyHint } from './kbd.tsx';

/** A label with its present value, a control, and a line that explains. */
export const Field = ({
  label,
  value,
  note,
  children,
}: Readonly<{ label: string; value?: ReactNode; note?: ReactNode; children: ReactNode }>) => (
  <div className="field">
    <div className="head">
      <span>{label}</span>
      {value !== undefined && <b className="num">{value}</b>}
    </div>
    {children}
    {note && <div className="note">{note}</div>}
  </div>
);

type TextProps = Readonly<{
  label: string;
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  placeholder?: string;
  hideLabel?: boolean;
  invalid?: string | null;
  maxLength?: number;
  autoFocus?: boolean;
}>;

export const TextField = ({ label, hideLabel = false, invalid, placeholder, ...rest }: TextProps) => (
  <AriaText {...rest} className="field" aria-label={hideLabel ? label : undefined} isInvalid={Boolean(invalid)}>
    {!hideLabel && <Label>{label}</Label>}
    <Input className="input" placeholder={placeholder} />
    {invalid && <span className="invalid">{invalid}</span>}
  </AriaText>
);

type DateProps = Readonly<{ label: string; value: string | undefined; onChange: (day: string | undefined) => void }>;

/** A day, as the system's own field takes it; undefined where none is given. */
export const DateField = ({ label, value, onChange }: DateProps) => (
  <AriaText className="field" value={value ?? ''} onChange={(day) => onChange(day || undefined)}>
    <Label>{label}</Label>
    <Input type="date" className="input" max="9999-12-31" />
  </AriaText>
);

type NumberProps = Readonly<{
  label: string;
  hideLabel?: boolean;
  value: number | null;
  min: number;
  max: number;
  step?: number;
  digits?: number;
  placeholder?: string;
  disabled?: boolean;
  onChange: (value: number | null) => void;
}>;

/** Empty means null. */
export const NumberField = (props: NumberProps) => (
  <AriaNumber
    className="field"
    aria-label={props.hideLabel ? props.label : undefined}
    value={props.value ?? Number.NaN}
    minValue={props.min}
    maxValue={props.max}
    step={props.step ?? 1}
    isDisabled={props.disabled}
    formatOptions={{ maximumFractionDigits: props.digits ?? 0 }}
    onChange={(value) => props.onChange(Number.isNaN(value) ? null : value)}
  >
    {!props.hideLabel && <Label>{props.label}</Label>}
    <span className="number">
      <Input className="input" placeholder={props.placeholder} />
    </span>
  </AriaNumber>
);

type SearchProps = Readonly<{
  label: string;
  value: string;
  onChange: (value: string) => void;
  keys?: string;
  maxLength?: number;
  inputRef?: Ref<HTMLInputElement>;
  onKeyDown?: KeyboardEventHandler;
}>;

export const SearchField = ({ label, value, onChange, keys, maxLength, inputRef, onKeyDown }: SearchProps) => {
  const { t } = useWords();
  return (
    <AriaSearch
      aria-label={label}
      className="search"
      value={value}
      onChange={onChange}
      {...(maxLength !== undefined && { maxLength })}
    >
      <Search aria-hidden />
      <Input ref={inputRef} className="input" placeholder={label} onKeyDown={onKeyDown} />
      {keys && value === '' && (
        <span className="hint">
          <KeyHint keys={keys} />
        </span>
      )}
      <AriaButton className="button quiet square" aria-label={t('action.clear')}>
        <X aria-hidden />
      </AriaButton>
    </AriaSearch>
  );
};

type SliderProps = Readonly<{
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** Bare: no label or value in sight. */
  bare?: boolean;
  show?: (value: number) => string;
  onChange: (value: number) => void;
  /** When the thumb comes to rest. */
  onRest?: (value: number) => void;
}>;

export const Slider = ({ label, value, min, max, step, bare = false, show, onChange, onRest }: SliderProps) => (
  <AriaSlider
    className={bare ? 'slider bare' : 'slider'}
    aria-label={bare ? label : undefined}
    value={value}
    minValue={min}
    maxValue={max}
    step={step}
    onChange={(next) => onChange(Number(next))}
    onChangeEnd={(next) => onRest?.(Number(next))}
  >
    {!bare && <Label>{label}</Label>}
    {!bare && <SliderOutput className="num">{show ? show(value) : undefined}</SliderOutput>}
    <SliderTrack className="rail-line">
      {({ state }) => (
        <>
          <div className="rail-fill" style={{ width: `${state.getThumbPercent(0) * 100}%` }} />
          <SliderThumb className="thumb" />
        </>
      )}
    </SliderTrack>
  </AriaSlider>
);

type AreaProps = Readonly<{
  label: string;
  note?: string;
  value: string;
  onChange: (value: string) => void;
}>;

/** Several lines of text. */
export const TextArea = ({ label, note, ...rest }: AreaProps) => (
  <AriaText {...rest} className="field">
    <Label>{label}</Label>
    <AriaTextArea className="input" rows={3} spellCheck="false" />
    {note && (
      <Text slot="description" className="note">
        {note}
      </Text>
    )}
  </AriaText>
);

type SwitchProps = Readonly<{
  selected: boolean;
  onChange: (selected: boolean) => void;
  /** The name of the switch, where the words beside it do not say what it switches. */
  label?: string;
  children: ReactNode;
}>;

export const Switch = ({ selected, onChange, label, children }: SwitchProps) => (
  <AriaSwitch className="switch" isSelected={selected} onChange={onChange} aria-label={label}>
    <span className="knob" aria-hidden />
    {children}
  </AriaSwitch>
);
