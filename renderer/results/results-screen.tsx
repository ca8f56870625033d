import './results.css';
import { useMemo } from 'react';
import type { ResultItem } from '../../main/contract/views.ts';
import { pickFolder } from '../data/actions.ts';
import { useCounts, useInfo, useResults, useRun, useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { NoPhotos } from '../library/no-photos.tsx';
import { Button } from '../ui/button.tsx';
import { Screen } from '../ui/screen.tsx';
import { EmptyState, Failure } from '../ui/states.tsx';
import { useUi } from '../ui-state.ts';
import { FilterChips, ResultsBar } from './filter-bar.tsx';
import { Grid } from './grid.tsx';
import { PhotoInspector } from './photo-inspector.tsx';
import { PhotoView } from './photo-view.tsx';

const none: readonly ResultItem[] = [];

/** The samples are in sight and nothing else is: one button starts with the user's own folder. */
const FirstRun = () => {
  const { t } = useWords();
  const info = useInfo();
  return info.data?.firstRun ? (
    <div className="notice">
      <span className="grow">{t('results.firstRun')}</span>
      <Button kind="primary" onPress={() => void pickFolder()}>
        {t('results.useOwnFolder')}
      </Button>
    </div>
  ) : (
    <span />
  );
};

const NothingFound = () => {
  const { t } = useWords();
  const filtered = useUi((state) => Object.keys(state.filter).length > 0);
  const clearFilter = useUi((state) => state.clearFilter);
  const run = useRun().data;
  if (filtered)
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

export const ResultsScreen = () => {
  const { t } = useWords();
  const filter = useUi((state) => state.filter);
  const sort = useUi((state) => state.sort);
  const grouped = useUi((state) => state.grouped && state.filter.similarTo === undefined);
  const open = useUi((state) => state.open);
  const photoId = useUi((state) => state.photoId);
  const inspector = useSettings().view.inspector;
  const results = useResults(filter, sort, grouped);
  const counts = useCounts(filter);
  const pages = results.data?.pages;
  const items = useMemo(() => pages?.flatMap((page) => page.items) ?? none, [pages]);
  const total = pages?.at(-1)?.total ?? 0;
  const more = () => {
    if (results.hasNextPage && !results.isFetching) void results.fetchNextPage();
  };
  // Without a choice the first photo is the current one.
  const index = Math.max(
    items.length > 0 ? 0 : -1,
    items.findIndex((item) => item.photoId === photoId),
  );
  const side = inspector && (
    <aside className="inspector" aria-label={t('frame.inspector')}>
      <PhotoInspector photoId={items[index]?.photoId ?? null} />
    </aside>
  );

  if (open && index >= 0) return <PhotoView items={items} index={index} total={total} more={more} inspector={side} />;

  return (
    <Screen title={t('screen.results')} bar={<ResultsBar total={total} />} inspector={side}>
      <div className="results">
        <FirstRun />
        <FilterChips counts={counts.data} photoId={items[index]?.photoId ?? null} />
        {results.isError ? (
          <div className="content" style={{ padding: 16 }}>
            <Failure failure={results.error} retry={() => void results.refetch()} />
          </div>
        ) : results.isSuccess && items.length === 0 ? (
          <NothingFound />
        ) : (
          <Grid items={items} total={total} index={index} more={more} />
        )}
      </div>
    </Screen>
  );
};
