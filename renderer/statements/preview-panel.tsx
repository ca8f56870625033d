import { useEffect, useState } from 'react';
import { usePreview } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';

const pauseMs = 120;

/** A value once it has rested for a moment. */
const useRested = (value: string): string => {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
};

/** Shows while one types what will be sent, what was taken out, and what no pack can check. */
export const PreviewPanel = ({ text }: Readonly<{ text: string }>) => {
  const { t, format, quoted } = useWords();
  const preview = usePreview(useRested(text));
  if (text.trim() === '') return <p className="muted">{t('preview.start')}</p>;
  if (!preview.data) return null;
  const { normalised, removed, maxTokens, languageSupported, notChecked } = preview.data;
  return (
    <div className="sent" role="status" aria-label={t('preview.title')}>
      <div className="head">
        <span>{t('preview.sent')}</span>
        {normalised && (
          <span className={normalised.tokens > maxTokens ? 'warn num' : 'num'}>
            {t('preview.tokens', { count: normalised.tokens, max: format.integer(maxTokens) })}
          </span>
        )}
      </div>
      {normalised ? (
        <div>
          {normalised.parts.map((part) => (
            <div key={part} className="part" data-join={t('preview.and')}>
              {part}
            </div>
          ))}
        </div>
      ) : (
        <p className="warn">{t('preview.nothingLeft')}</p>
      )}
      {removed.length > 0 && <p>{t('preview.removed', { words: quoted(removed) })}</p>}
      {normalised?.replaced.map(({ from, to }) => (
        <p key={from}>{t('preview.replaced', { from, to })}</p>
      ))}
      {normalised && normalised.cut.length > 0 && (
        <p className="warn">{t('preview.cut', { words: quoted(normalised.cut) })}</p>
      )}
      {notChecked.length > 0 && <p className="warn">{t('preview.notChecked', { words: quoted(notChecked) })}</p>}
      {normalised && !languageSupported && (
        <p className="warn">{t('preview.language', { language: format.language(normalised.language) })}</p>
      )}
    </div>
  );
};
