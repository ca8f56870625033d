import { useWords } from '../i18n/index.ts';

/** Counts are told to here, and then as "10,000+". */
const toldUpTo = 10_000;

/** How many there are, at the end of a line that has little room; the exact figure, where it is known, on hover. */
export const Count = ({ of, atLeast = false }: Readonly<{ of: number; atLeast?: boolean | undefined }>) => {
  const { t, format } = useWords();
  const more = atLeast || of > toldUpTo;
  return (
    <span className="count num" data-testid="count" title={more && !atLeast ? format.integer(of) : undefined}>
      {more ? t('review.atLeast', { n: format.integer(Math.min(of, toldUpTo)) }) : format.integer(of)}
    </span>
  );
};
