import { Flag, TriangleAlert } from 'lucide-react';
import { useWords } from '../i18n/index.ts';

/** What every grid says of a photo: that it is damaged, that it is flagged. */
export const PhotoMarks = ({ damaged, flagged }: Readonly<{ damaged: boolean; flagged: boolean }>) => {
  const { t } = useWords();
  return (
    <>
      {damaged && (
        <span className="plate" title={t('results.damaged')}>
          <TriangleAlert aria-label={t('results.damaged')} />
        </span>
      )}
      {flagged && (
        <span className="plate" title={t('results.flagged')}>
          <Flag aria-label={t('results.flagged')} />
        </span>
      )}
    </>
  );
};
