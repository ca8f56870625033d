import './results.css';
import { useMemo } from 'react';
import type { ResultItem } from '../../main/contract/views.ts';
import { pickFolder } from '../data/actions.ts';
import { useCounts, useFolders, useResults, useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Screen } from '../ui/screen.tsx';
import { Failure } from '../ui/states.tsx';
import { FilterChips, ResultsBar } from './filter-bar.tsx';
import { Grid } from './grid.tsx';
import { CannotSearch, NothingFound, useUnsearchable } from './nothing-found.tsx';
import { PhotoInspector } from './photo-inspector.tsx';
import { PhotoView } from './photo-view.tsx';
import { SearchLine } from './search-line.tsx';
import { orderOf, useResultsView } from './state.ts';

const none: readonly ResultItem[] = [];

/** The samples are in sight and nothing else is: one button starts with the user's own folder. */
const FirstRun = () => {
  const { t } = useWords();
  const folders = useFolders().data ?? [];
  return folders.length > 0 && folders.every(({ samples }) => samples) ? (
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

export const ResultsScreen = () => {
  const { t } = useWords();
  const filter = useResultsView((state) => state.filter);
  const sort = useResultsView(orderOf);
  const grouped = useResultsView((state) => state.grouped && state.filter.similarTo === undefined);
  const open = useResultsView((state) => state.open);
  const photoId = useResultsView((state) => state.photoId);
  const inspector = useSettings().view.inspector;
  const text = filter.fits?.text ?? null;
  const why = useUnsearchable(text);
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
        {text === null || why ? <span /> : <SearchLine text={text} />}
        {text !== null && why ? (
          <CannotSearch text={text} why={why} />
        ) : results.isError ? (
          <div className="content padded">
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
