import type { SpotCheckView } from '../../main/contract/review.ts';
import { useWords } from '../i18n/index.ts';
import { Answer } from '../photo/answer.tsx';
import { Evidence } from '../photo/evidence.tsx';

/** The answer to one photo and one statement, then what was sent and how long it took. `stale`: to another question by now. */
export const SpotCheckAnswer = ({ answer, stale }: Readonly<{ answer: SpotCheckView; stale: boolean }>) => {
  const { t, format, quoted } = useWords();
  const { explanation, sent, timingMs } = answer;
  return (
    <section className={stale ? 'verdict stale' : 'verdict'} aria-live="polite" aria-busy={stale}>
      <Answer answer={answer} caps={answer.caps} notChecked={explanation?.notChecked} />
      {explanation && <Evidence explanation={explanation} />}
      <p className="muted small num">
        {t('try.sent', { parts: quoted(sent.parts) })} {t('try.took', { ms: format.ms(Math.round(timingMs.total)) })}
      </p>
    </section>
  );
};
