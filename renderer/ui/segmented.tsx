import type { ReactNode } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';

export type Segment<V extends string> = Readonly<{ value: V; label: ReactNode; name?: string; disabled?: boolean }>;
type Props<V extends string> = Readonly<{
  label: string;
  value: V;
  options: readonly Segment<V>[];
  onChange: (value: V) => void;
  /** Goes on in further rows after so many. */
  columns?: number;
}>;

/** One of a few, all in sight. */
export const Segmented = <V extends string>({ label, value, options, onChange, columns }: Props<V>) => (
  <ToggleButtonGroup
    aria-label={label}
    className="segmented"
    style={columns ? { gridAutoFlow: 'row', gridTemplateColumns: `repeat(${columns}, 1fr)` } : undefined}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[value]}
    onSelectionChange={(keys) => {
      const next = options.find((option) => keys.has(option.value));
      if (next && next.value !== value) onChange(next.value);
    }}
  >
    {options.map((option) => (
      <ToggleButton
        key={option.value}
        id={option.value}
        aria-label={option.name}
        isDisabled={option.disabled}
        className="segment"
      >
        {option.label}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
);
