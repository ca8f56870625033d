import { ListPlus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { StatementPreview } from '../../main/contract/views.ts';
import { useCommands } from '../commands/registry.ts';
import { vouch } from '../data/call.ts';
import { usePreview, useSearch, useSets } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Button, Toggle } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Progress } from '../ui/states.tsx';
import { addSearched, setsToAddTo } from './search.ts';
import { find, setFilter, useResultsView } from './state.ts';

const endSearch = () => find('');

/** What is looked for, and what nothing here can check. */
const Understood = ({ preview }: Readonly<{ preview: StatementPreview }>) => {
  const { t, quoted } = useWords();
  const { looksFor, notChecked, normalised } = preview;
  const [there, absent] = [false, true].map((wanted) =>
    (looksFor ?? []).filter(({ negated }) => negated === wanted).map(({ words }) => words),
  ) as [string[], string[]];
  return (
    <>
      {there.length > 0 && <span>{t('find.looksFor', { words: quoted(there) })}</span>}
      {absent.length > 0 && <span>{t('find.without', { words: quoted(absent) })}</span>}
      {notChecked.length > 0 && (
        <span className="warn" data-testid="not-checked">
          {t('preview.notChecked', { words: quoted(notChecked) })}
        </span>
      )}
      {normalised && normalised.cut.length > 0 && (
        <span className="warn">{t('find.cut', { words: quoted(normalised.cut) })}</span>
      )}
    </>
  );
};

const Searching = () => {
  const { t, format } = useWords();
  const [at, setAt] = useState<Readonly<{ done: number; total: number }> | null>(null);
  useEffect(() => vouch.on('search', setAt), []);
  const text = at && t('find.searching', { done: format.integer(at.done), total: format.integer(at.total) });
  return (
    <>
      <span className="progress-of">
        <Progress label={t('find.progress')} share={at && at.done / Math.max(1, at.total)} {...(text && { text })} />
      </span>
      <span className="num muted">{text}</span>
      <Button onPress={endSearch}>{t('action.cancel')}</Button>
    </>
  );
};

/** The line under the filters during a search by text: how the text was read, how far the search is, what can be done with it. */
export const SearchLine = ({ text }: Readonly<{ text: string }>) => {
  const { t } = useWords();
  const preview = usePreview(text).data;
  const search = useSearch(text);
  const sets = useSets().data ?? [];
  const likely = useResultsView((state) => state.filter.fits?.likely);
  const targets = setsToAddTo(sets);
  useCommands('search', [
    { id: 'end search', text: 'find.end', group: 'results', keys: ['Escape'], run: endSearch },
    ...targets.map((name) => ({
      id: `add search to ${name}`,
      text: { plain: t('find.addTo', { name }) },
      group: 'results' as const,
      run: () => void addSearched(sets, name, text),
    })),
  ]);
  const { unjudged = 0 } = search.data ?? {};
  return (
    <section className="search-line" aria-label={t('find.field')}>
      <span className="understood" role="status">
        {preview && <Understood preview={preview} />}
        {unjudged > 0 && <span className="muted">{t('find.unjudged', { count: unjudged })}</span>}
      </span>
      {search.isFetching && !search.data ? (
        <Searching />
      ) : (
        <>
          <Toggle selected={likely === false} onChange={(all) => setFilter({ fits: { text, likely: !all } })}>
            {t('find.lessLikely')}
          </Toggle>
          <Menu
            label={t('find.add')}
            icon={ListPlus}
            wide
            entries={targets.map((name) => ({
              id: name,
              text: t('find.addTo', { name }),
              run: () => void addSearched(sets, name, text),
            }))}
          />
        </>
      )}
    </section>
  );
};
