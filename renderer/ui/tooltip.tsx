import type { ReactElement } from 'react';
import { Tooltip, TooltipTrigger } from 'react-aria-components';
import { KeyHint } from './kbd.tsx';

type Props = Readonly<{ text: string; keys?: string; children: ReactElement }>;

/** A tooltip on a control that can hold the focus. */
export const Hint = ({ text, keys, children }: Props) => (
  <TooltipTrigger delay={500} closeDelay={0}>
    {children}
    <Tooltip className="tooltip" offset={6}>
      {text}
      {keys && <KeyHint keys={keys} />}
    </Tooltip>
  </TooltipTrigger>
);
