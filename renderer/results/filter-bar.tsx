import { ArrowDownWideNarrow, ArrowUpNarrowWide, Crop, Download, X } from 'lucide-react';
import { useMemo } from 'react';
import { grades, type Label, labels } from '../../main/contract/labels.ts';
import type { ResultSort } from '../../main/contract/result-filter.ts';
import type { ResultCounts } from '../../main/contract/views.ts';
import { changeSettings } from '../data/actions.ts';
import { useCounts, useFolders, useSets, useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { InspectorToggle, ThumbnailSize } from '../photo/view-controls.tsx';
import { IconButton, Toggle } from '../ui/button.tsx';
import { VerdictChip } from '../ui/chip.tsx';
import { folderName } from '../ui/path.ts';
import { Gap } from '../ui/screen.tsx';
import { type ChoiceGroup, Select } from '../ui/select.tsx';
import { useUi } from '../ui-state.ts';
import { GroupFilter, GroupToggle, PhotoFilters } from './photo-filters.tsx';
import { TextSearch } from './search-field.tsx';
import { clearFilter, orderOf, setFilter, useResultsView } from './state.ts';

const all = 'all';

const StatementSelect = () => {
  const { t, format } = useWords();
  const sets = useSets().data;
  const filter = useResultsView((state) => state.filter);
  const counts = useCounts(
    useMemo(() => ({ ...(filter.folderId && { folderId: filter.folderId }) }), [filter.folderId]),
  );
  const selected = filter.statementIds?.[0];
  const found = sets?.flatMap((set) => set.statements).find((statement) => statement.id === selected);
  const yes = new Map(counts.data?.statements.map((entry) => [entry.statementId, entry.labels.yes]));
  const groups: readonly ChoiceGroup[] = [
    { id: all, heading: null, choices: [{ id: all, text: t('results.allStatements') }] },
    ...(sets ?? [])
      .filter((set) => set.statements.length > 0)
      .map((set) => ({
        id: set.id,
        heading: set.name,
        choices: set.statements.map(({ id, text }) => ({
          id,
          text,
          end: yes.has(id) ? t('results.yesCount', { n: format.integer(yes.get(id)!) }) : undefined,
        })),
      })),
  ];
  return (
    <Select
      label={t('results.statement')}
      value={found?.text ?? t('results.allStatements')}
      selected={selected ?? all}
      active={selected !== undefined}
      groups={groups}
      onChange={(id) => {
        setFilter({ statementIds: id === all ? undefined : [id] });
        useResultsView.setState({ statementId: id === all ? null : id });
      }}
    />
  );
};

const FolderSelect = () => {
  const { t, format } = useWords();
  const folders = useFolders().data;
  const folderId = useResultsView((state) => state.filter.folderId);
  const found = folders?.find((folder) => folder.id === folderId);
  return (
    <Select
      label={t('results.folder')}
      value={found ? folderName(found.path) : t('results.allFolders')}
      selected={folderId ?? all}
      active={folderId !== undefined}
      groups={[
        {
          id: all,
          heading: null,
          choices: [
            { id: all, text: t('results.allFolders') },
            ...(folders ?? []).map(({ id, path, photos }) => ({
              id,
              text: folderName(path),
              end: format.integer(photos),
            })),
          ],
        },
      ]}
      onChange={(id) => setFilter({ folderId: id === all ? undefined : id })}
    />
  );
};

const sorts = ['judgedAt', 'takenAt', 'path', 'confidence'] as const satisfies readonly ResultSort['by'][];

const SortSelect = () => {
  const { t } = useWords();
  const { by, direction } = useResultsView(orderOf);
  const offered = useResultsView((state) => state.filter.fits !== undefined) ? (['fit', ...sorts] as const) : sorts;
  const ascending = direction === 'ascending';
  return (
    <>
      <Select
        label={t('results.sort')}
        value={t(`results.sortBy.${by}`)}
        selected={by}
        groups={[{ id: all, heading: null, choices: offered.map((id) => ({ id, text: t(`results.sortBy.${id}`) })) }]}
        onChange={(id) => {
          if (id === 'fit') return useResultsView.setState({ byFit: true });
          const chosen = sorts.find((name) => name === id) ?? 'judgedAt';
          const sort = { by: chosen, direction: chosen === 'path' ? 'ascending' : 'descending' } as const;
          useResultsView.setState({ byFit: false, sort });
        }}
      />
      {by !== 'fit' && (
        <Toggle
          label={t(ascending ? 'results.ascending' : 'results.descending')}
          icon={ascending ? ArrowUpNarrowWide : ArrowDownWideNarrow}
          selected={false}
          onChange={() => useResultsView.setState({ sort: { by, direction: ascending ? 'descending' : 'ascending' } })}
        />
      )}
    </>
  );
};

export const ResultsBar = ({ total }: Readonly<{ total: number }>) => {
  const { t } = useWords();
  const whole = useSettings().view.fit === 'whole';
  return (
    <>
      <TextSearch />
      <StatementSelect />
      <FolderSelect />
      <Gap />
      <span className="muted num roomy">{t('results.photos', { count: total })}</span>
      <SortSelect />
      <span className="roomy">
        <ThumbnailSize />
      </span>
      <Toggle
        label={t('results.crop')}
        icon={Crop}
        selected={!whole}
        onChange={(crop) => void changeSettings({ view: { fit: crop ? 'fill' : 'whole' } })}
      />
      <GroupToggle />
      <IconButton label={t('command.export')} icon={Download} onPress={() => useUi.getState().setOverlay('export')} />
      <InspectorToggle />
    </>
  );
};

const toggled = <V,>(values: readonly V[] | undefined, value: V): V[] | undefined => {
  const next = values?.includes(value) ? values.filter((other) => other !== value) : [...(values ?? []), value];
  return next.length > 0 ? next : undefined;
};

type ChipsProps = Readonly<{ counts: ResultCounts | undefined; photoId: string | null }>;

/** Labels, grades and review; the figures say what each would leave, the other filters holding. */
export const FilterChips = ({ counts, photoId }: ChipsProps) => {
  const { t, format } = useWords();
  const filter = useResultsView((state) => state.filter);
  const unlabelled = useCounts(useMemo(() => ({ ...filter, labels: undefined }), [filter])).data ?? counts;
  const ungraded = useCounts(useMemo(() => ({ ...filter, grades: undefined }), [filter])).data ?? counts;
  const labelChip = (label: Label) => (
    <Toggle
      key={label}
      selected={filter.labels?.includes(label) ?? false}
      onChange={() => setFilter({ labels: toggled(filter.labels, label) })}
    >
      <VerdictChip label={label} grade={label === 'maybe' ? 'low' : 'high'} />
      <span className="num">{unlabelled ? format.integer(unlabelled.labels[label]) : '–'}</span>
    </Toggle>
  );
  return (
    <div className="filters" role="toolbar" aria-label={t('results.filters')}>
      <Toggle selected={filter.labels === undefined} onChange={() => setFilter({ labels: undefined })}>
        {t('results.allLabels')}
      </Toggle>
      {labels.map(labelChip)}
      <Select
        label={t('results.grade')}
        value={filter.grades ? t(`grade.${filter.grades[0]!}`) : t('results.allGrades')}
        selected={filter.grades?.[0] ?? all}
        active={filter.grades !== undefined}
        groups={[
          {
            id: all,
            heading: null,
            choices: [
              { id: all, text: t('results.allGrades') },
              ...grades.map((grade) => ({
                id: grade,
                text: t(`grade.${grade}`),
                end: ungraded && format.integer(ungraded.grades[grade]),
              })),
            ],
          },
        ]}
        onChange={(id) => {
          const grade = grades.find((name) => name === id);
          setFilter({ grades: grade && [grade] });
        }}
      />
      <Toggle selected={filter.wantsReview ?? false} onChange={(on) => setFilter({ wantsReview: on || undefined })}>
        {t('results.wantsReview')} <span className="num">{counts && format.integer(counts.wantsReview)}</span>
      </Toggle>
      <Toggle selected={filter.damaged ?? false} onChange={(on) => setFilter({ damaged: on || undefined })}>
        {t('results.damaged')} <span className="num">{counts && format.integer(counts.damaged)}</span>
      </Toggle>
      <PhotoFilters />
      <GroupFilter photoId={photoId} />
      {Object.keys(filter).some((name) => name !== 'fits') && (
        <IconButton label={t('results.clearFilters')} icon={X} onPress={clearFilter} />
      )}
    </div>
  );
};
