import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaProps, ToggleButton } from 'react-aria-components';
import { KeyHint } from './kbd.tsx';
import { Hint } from './tooltip.tsx';

type Kind = 'plain' | 'primary' | 'quiet' | 'danger' | 'link';
type Props = Readonly<{
  kind?: Kind;
  icon?: LucideIcon;
  /** Shown beside the label, in tinykeys' notation. */
  keys?: string;
  children?: ReactNode;
}> &
  Omit<AriaProps, 'children' | 'className'>;

export const Button = ({ kind = 'plain', icon: Icon, keys, children, ...rest }: Props) => (
  <AriaButton {...rest} className={`button ${kind}`}>
    {Icon && <Icon aria-hidden />}
    {children}
    {keys && <KeyHint keys={keys} />}
  </AriaButton>
);

type IconProps = Readonly<{ label: string; icon: LucideIcon; keys?: string; kind?: Kind }> &
  Omit<AriaProps, 'children' | 'className' | 'aria-label'>;

/** A square button; its label is spoken and shown as a tooltip. */
export const IconButton = ({ label, icon: Icon, keys, kind = 'quiet', ...rest }: IconProps) => (
  <Hint text={label} keys={keys}>
    <AriaButton {...rest} aria-label={label} className={`button square ${kind}`}>
      <Icon aria-hidden />
    </AriaButton>
  </Hint>
);

type ToggleProps = Readonly<{
  label?: string;
  icon?: LucideIcon;
  keys?: string;
  selected: boolean;
  onChange: (selected: boolean) => void;
  children?: ReactNode;
}>;

/** A button that stays pressed; with `label` it is square and shows only its icon. */
export const Toggle = ({ label, icon: Icon, keys, selected, onChange, children }: ToggleProps) => {
  const button = (
    <ToggleButton
      aria-label={label}
      isSelected={selected}
      onChange={onChange}
      className={label ? 'button square quiet' : 'button'}
    >
      {Icon && <Icon aria-hidden />}
      {children}
    </ToggleButton>
  );
  return label ? (
    <Hint text={label} keys={keys}>
      {button}
    </Hint>
  ) : (
    button
  );
};
