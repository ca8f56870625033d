import type { Grade, Label } from '../../main/contract/labels.ts';
import { useWords } from '../i18n/index.ts';

const signs: Readonly<Record<Label, string>> = {
  yes: 'M2.5 6.5 5 9l4.5-6',
  no: 'm3 3 6 6M9 3 3 9',
  maybe: 'M1.5 7c1.5-3 3-3 4.5-1s3 2 4.5-1',
};

export const VerdictSign = ({ label }: Readonly<{ label: Label }>) => (
  <svg viewBox="0 0 12 12" aria-hidden="true">
    <path d={signs[label]} />
  </svg>
);

type Props = Readonly<{ label: Label; grade?: Grade; compact?: boolean; title?: string }>;

/** A label: colour, sign and word together; the grade by fill. Compact shows the sign alone and speaks the word. */
export const VerdictChip = ({ label, grade = 'high', compact = false, title }: Props) => {
  const { t } = useWords();
  const word = t(`label.${label}`);
  return compact ? (
    <span
      data-testid="chip"
      className={`chip sign ${label} ${grade}`}
      role="img"
      aria-label={title ?? word}
      title={title ?? word}
    >
      <VerdictSign label={label} />
    </span>
  ) : (
    <span data-testid="chip" className={`chip ${label} ${grade}`} title={title}>
      <VerdictSign label={label} />
      {word}
    </span>
  );
};
