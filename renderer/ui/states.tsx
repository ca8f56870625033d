import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ProgressBar } from 'react-aria-components';
import type { VouchError } from '../../main/contract/errors.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from './button.tsx';

/** Teaches the next step with one button. */
export const EmptyState = ({
  title,
  children,
  action,
}: Readonly<{ title: string; children?: ReactNode; action?: ReactNode }>) => (
  <div className="empty" data-testid="empty">
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {action}
  </div>
);

const icons: Readonly<Record<'info' | 'warn' | 'bad', LucideIcon>> = {
  info: Info,
  warn: TriangleAlert,
  bad: CircleAlert,
};

export const Callout = ({
  tone = 'warn',
  children,
  action,
}: Readonly<{ tone?: 'info' | 'warn' | 'bad'; children: ReactNode; action?: ReactNode }>) => {
  const Icon = icons[tone];
  return (
    <div className={`callout ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon aria-hidden />
      <div className="text">{children}</div>
      {action}
    </div>
  );
};

type FailureProps = Readonly<{ failure: Readonly<{ error: VouchError }>; retry?: () => void }>;

/** What happened, what was kept, what to do. */
export const Failure = ({ failure, retry }: FailureProps) => {
  const { t, errorText } = useWords();
  return (
    <Callout tone="bad" action={retry && <Button onPress={retry}>{t('action.tryAgain')}</Button>}>
      {errorText(failure.error)}
    </Callout>
  );
};

type ProgressProps = Readonly<{ label: string; share: number | null; paused?: boolean; text?: string }>;

export const Progress = ({ label, share, paused = false, text }: ProgressProps) => (
  <ProgressBar
    aria-label={label}
    value={(share ?? 0) * 100}
    isIndeterminate={share === null && !paused}
    valueLabel={text}
    className={`progress${paused ? ' paused' : ''}${share === null && !paused ? ' indeterminate' : ''}`}
  >
    <div className="fill" style={share === null ? undefined : { width: `${share * 100}%` }} />
  </ProgressBar>
);
