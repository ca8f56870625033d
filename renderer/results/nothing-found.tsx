import { useEngine, usePreview, useRun, useSearch } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { NoPhotos } from '../photo/no-photos.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';
import { unsearchable } from './search.ts';
import { clearFilter, find, setFilter, useResultsView } from './state.ts';

/** The same words, looked for in the names of files and folders. */
const InPaths = ({ text }: Readonly<{ text: string }>) => {
  const { t } = useWords();
  return <Button onPress={() => setFilter({ fits: undefined, text })}>{t('find.inPaths', { text })}</Button>;
};

/** A text that no photo can be searched for: why, and what else could be meant. */
export const CannotSearch = ({ text, why }: Readonly<{ text: string; why: 'language' | 'nothing' }>) => {
  const { t, format } = useWords();
  const preview = usePreview(text).data;
  const languages = useEngine().data?.model?.languages ?? [];
  const { language = 'und' } = preview?.normalised ?? {};
  return why === 'language' ? (
    <EmptyState title={t('find.language', { language: format.language(language) })} action={<InPaths text={text} />}>
      {languages.length > 0 && t('find.languageHint', { languages: format.list(languages.map(format.language)) })}
    </EmptyState>
  ) : (
    <EmptyState title={t('find.cannot', { text })} action={<InPaths text={text} />}>
      {t('find.cannotHint')}
    </EmptyState>
  );
};

const NothingFits = ({ text }: Readonly<{ text: string }>) => {
  const { t } = useWords();
  const { unjudged = 0 } = useSearch(text).data ?? {};
  const filter = useResultsView((state) => state.filter);
  const filtered = Object.keys(filter).length > 1;
  const hint = t(filtered ? 'find.nothingFiltered' : 'find.nothingHint');
  return (
    <EmptyState
      title={t('find.nothing', { text })}
      action={
        filtered ? (
          <Button onPress={() => useResultsView.setState({ filter: { fits: filter.fits } })}>
            {t('find.clearOthers')}
          </Button>
        ) : filter.fits?.likely ? (
          <Button onPress={() => setFilter({ fits: { text, likely: false } })}>{t('find.lessLikely')}</Button>
        ) : (
          <Button onPress={() => find('')}>{t('find.end')}</Button>
        )
      }
    >
      {unjudged > 0 ? `${hint} ${t('find.unjudged', { count: unjudged })}` : hint}
    </EmptyState>
  );
};

export const NothingFound = () => {
  const { t } = useWords();
  const filter = useResultsView((state) => state.filter);
  const run = useRun().data;
  if (filter.fits) return <NothingFits text={filter.fits.text} />;
  if (Object.keys(filter).length > 0)
    return (
      <EmptyState
        title={t('results.noMatch')}
        action={<Button onPress={clearFilter}>{t('results.clearFilters')}</Button>}
      >
        {t('results.noMatchHint')}
      </EmptyState>
    );
  if (run?.status === 'running')
    return <EmptyState title={t('results.judging')}>{t('results.judgingHint')}</EmptyState>;
  return <NoPhotos />;
};

/** Whether, and why, the text that was typed cannot be searched for. */
export const useUnsearchable = (text: string | null): 'language' | 'nothing' | null => {
  const preview = usePreview(text ?? '');
  return text !== null && preview.data && !preview.isPlaceholderData ? unsearchable(preview.data) : null;
};
