import { useDeferredValue } from 'react';
import { menuCommands } from '../../main/contract/menu.ts';
import type { QueueOrder } from '../../main/contract/review.ts';
import { queueOrders } from '../../main/contract/review.ts';
import { runCommand } from '../commands/registry.ts';
import { useFolders, useSets } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { JudgeAgain } from '../photo/judge-again.tsx';
import { InspectorToggle, ThumbnailSize } from '../photo/view-controls.tsx';
import { Button } from '../ui/button.tsx';
import { folderName } from '../ui/path.ts';
import { Gap } from '../ui/screen.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { type ChoiceGroup, Select } from '../ui/select.tsx';
import { setMode } from './actions.ts';
import { openQueue } from './queue.ts';
import { type ReviewMode, useReview } from './state.ts';
import { pace } from './worklist.ts';

const all = 'all';
const ofSet = 'set ';

/** A statement, or all statements of a set. */
const ScopeSelect = () => {
  const { t } = useWords();
  const sets = (useSets().data ?? []).filter((set) => set.statements.length > 0);
  const scope = useReview((state) => state.scope);
  const statementId = scope.statementIds?.[0];
  const statement = sets.flatMap((set) => set.statements).find(({ id }) => id === statementId);
  const set = sets.find(({ id }) => id === scope.setId);
  const groups: readonly ChoiceGroup[] = [
    { id: all, heading: null, choices: [{ id: all, text: t('results.allStatements') }] },
    ...sets.map((one) => ({
      id: one.id,
      heading: one.name,
      choices: [
        ...(sets.length > 1 ? [{ id: ofSet + one.id, text: t('review.allOfSet', { name: one.name }) }] : []),
        ...one.statements.map(({ id, text }) => ({ id, text })),
      ],
    })),
  ];
  const choose = (id: string) => {
    const { setId: _set, statementIds: _statements, ...rest } = scope;
    if (id === all) return void openQueue({ scope: rest });
    const narrowed = id.startsWith(ofSet) ? { setId: id.slice(ofSet.length) } : { statementIds: [id] };
    void openQueue({ scope: { ...rest, ...narrowed } });
  };
  return (
    <Select
      label={t('results.statement')}
      value={statement?.text ?? (set ? t('review.allOfSet', { name: set.name }) : t('results.allStatements'))}
      selected={statementId ?? (scope.setId ? ofSet + scope.setId : all)}
      active={statement !== undefined || set !== undefined}
      groups={groups}
      onChange={choose}
    />
  );
};

const FolderSelect = () => {
  const { t } = useWords();
  const folders = useFolders().data ?? [];
  const scope = useReview((state) => state.scope);
  const found = folders.find((folder) => folder.id === scope.folderId);
  const { folderId: _, ...rest } = scope;
  return (
    <Select
      label={t('results.folder')}
      value={found ? folderName(found.path) : t('results.allFolders')}
      selected={scope.folderId ?? all}
      active={found !== undefined}
      groups={[
        {
          id: all,
          heading: null,
          choices: [
            { id: all, text: t('results.allFolders') },
            ...folders.map(({ id, path }) => ({ id, text: folderName(path) })),
          ],
        },
      ]}
      onChange={(id) => void openQueue({ scope: id === all ? rest : { ...rest, folderId: id } })}
    />
  );
};

const OrderSelect = () => {
  const { t } = useWords();
  const order = useReview((state) => state.order);
  return (
    <Select
      label={t('review.order')}
      value={t(`review.orderBy.${order}`)}
      selected={order}
      groups={[{ id: all, heading: null, choices: queueOrders.map((id) => ({ id, text: t(`review.orderBy.${id}`) })) }]}
      onChange={(id) =>
        void openQueue({ order: queueOrders.find((name) => name === id) ?? ('uncertain' as QueueOrder) })
      }
    />
  );
};

/** "12 of 128", and how fast it goes. */
const Place = () => {
  const { t, format } = useWords();
  const worklist = useDeferredValue(useReview((state) => state.worklist));
  const total = useReview((state) => state.total);
  const atLeast = useReview((state) => state.atLeast);
  const mode = useReview((state) => state.mode);
  if (worklist.items.length === 0) return null;
  const all = atLeast
    ? t('review.atLeast', { n: format.integer(total) })
    : format.integer(Math.max(total, worklist.items.length));
  const index = Math.min(worklist.at + 1, worklist.items.length);
  const perMinute = pace(worklist);
  return (
    <span className="muted num place" data-testid="place" aria-live="off">
      {mode === 'focus'
        ? t('photo.place', { index: format.integer(index), total: all })
        : t('review.decidedOf', { n: format.integer(worklist.decided.size), total: all })}
      {perMinute !== null && <span className="roomy">{t('review.pace', { n: format.integer(perMinute) })}</span>}
    </span>
  );
};

export const QueueBar = () => {
  const { t } = useWords();
  const queue = useReview((state) => state.queue);
  const mode = useReview((state) => state.mode);
  return (
    <>
      <ScopeSelect />
      <FolderSelect />
      {queue !== 'audit' && <OrderSelect />}
      {queue === 'degraded' && <JudgeAgain />}
      <Gap />
      <Place />
      {mode === 'grid' && (
        <span className="roomy">
          <ThumbnailSize />
        </span>
      )}
      <Segmented<ReviewMode>
        label={t('review.mode')}
        value={mode}
        options={[
          { value: 'focus', label: t('review.focus') },
          { value: 'grid', label: t('review.grid') },
        ]}
        onChange={setMode}
      />
      <span className="roomy">
        <Button onPress={() => runCommand('keys')} keys={menuCommands.keys}>
          {t('keys.title')}
        </Button>
      </span>
      <InspectorToggle />
    </>
  );
};

/** Spot-check is the flagged items and, beside them, any photo at all. */
export const SpotCheckTabs = () => {
  const { t } = useWords();
  const view = useReview((state) => state.view);
  return (
    <Segmented<'queue' | 'try'>
      label={t('queue.flagged')}
      value={view === 'try' ? 'try' : 'queue'}
      options={[
        { value: 'queue', label: t('review.flaggedItems') },
        { value: 'try', label: t('review.anyPhoto') },
      ]}
      onChange={(next) => (next === 'try' ? useReview.setState({ view: 'try' }) : void openQueue({ queue: 'flagged' }))}
    />
  );
};
