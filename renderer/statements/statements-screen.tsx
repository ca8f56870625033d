import './statements.css';
import { Archive, ArchiveRestore, Download, FileUp, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button as Nav } from 'react-aria-components';
import type { StatementSetView } from '../../main/contract/views.ts';
import { useCommands } from '../commands/registry.ts';
import { attempt } from '../data/actions.ts';
import { useSets } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Button, Toggle } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Gap, Screen } from '../ui/screen.tsx';
import { EmptyState, Failure } from '../ui/states.tsx';
import { archiveSet, bringBack, createSet, exportSet, importSets, renameSet } from './actions.ts';
import { SetNameDialog } from './set-name-dialog.tsx';
import { StatementForm } from './statement-form.tsx';
import { StatementTable } from './statement-table.tsx';

type Edited = Readonly<{ kind: 'new' }> | Readonly<{ kind: 'old'; id: string }> | null;
type Naming = 'none' | 'new' | 'rename';

export const StatementsScreen = () => {
  const { t, format } = useWords();
  const [archived, setArchived] = useState(false);
  const [setId, setSetId] = useState<string | null>(null);
  const [edited, setEdited] = useState<Edited>(null);
  const [naming, setNaming] = useState<Naming>('none');
  const sets = useSets(archived);
  const set = sets.data?.find((candidate) => candidate.id === setId) ?? sets.data?.[0];
  const statement =
    edited?.kind === 'old' ? set?.statements.find((candidate) => candidate.id === edited.id) : undefined;
  const add = () => (set ? setEdited({ kind: 'new' }) : setNaming('new'));
  useCommands('statements', [
    { id: 'new statement', text: 'command.newStatement', group: 'statements', keys: ['n'], run: add },
    { id: 'new set', text: 'command.newSet', group: 'statements', run: () => setNaming('new') },
    { id: 'import sets', text: 'command.importSets', group: 'statements', run: () => void importSets() },
  ]);
  const choose = (id: string) => {
    setSetId(id);
    setEdited(null);
  };
  const editing = set && (edited?.kind === 'new' || statement);

  return (
    <Screen
      title={t('screen.statements')}
      bar={
        <>
          <Toggle selected={archived} onChange={setArchived} icon={Archive}>
            {t('statements.showArchived')}
          </Toggle>
          <Gap />
          <Button icon={FileUp} onPress={() => void importSets()}>
            {t('statements.import')}
          </Button>
          <Button kind="primary" icon={Plus} onPress={add} keys="n">
            {t('statements.add')}
          </Button>
        </>
      }
      inspector={
        editing && (
          <aside className="inspector" aria-label={t('statements.editor')}>
            <StatementForm
              key={statement?.id ?? 'new'}
              set={set}
              statement={statement ?? null}
              onSaved={(id) => setEdited(id === null ? null : { kind: 'old', id })}
              onClose={() => setEdited(null)}
            />
          </aside>
        )
      }
    >
      {sets.isError ? (
        <div className="content padded">
          <Failure failure={sets.error} retry={() => void sets.refetch()} />
        </div>
      ) : (
        <div className="statements">
          <nav className="sets" aria-label={t('statements.sets')}>
            {sets.data?.map((one) => (
              <Nav
                key={one.id}
                className="nav"
                aria-current={one.id === set?.id ? 'true' : undefined}
                onPress={() => choose(one.id)}
              >
                <span className="clip">{one.name}</span>
                <span className="count num">{format.integer(one.statements.length)}</span>
              </Nav>
            ))}
            <Button kind="quiet" icon={Plus} onPress={() => setNaming('new')}>
              {t('statements.newSet')}
            </Button>
          </nav>
          <div className="body">
            {set && (
              <SetBody
                set={set}
                current={statement?.id ?? null}
                onChoose={(id) => setEdited({ kind: 'old', id })}
                onRename={() => setNaming('rename')}
                onAdd={add}
              />
            )}
            {sets.data?.length === 0 && (
              <EmptyState
                title={t('statements.noSets')}
                action={
                  <Button kind="primary" icon={Plus} onPress={() => setNaming('new')}>
                    {t('statements.newSet')}
                  </Button>
                }
              >
                {t('statements.noSetsHint')}
              </EmptyState>
            )}
          </div>
        </div>
      )}
      {naming === 'new' && (
        <SetNameDialog
          title={t('statements.newSet')}
          start=""
          action={t('statements.create')}
          onClose={() => setNaming('none')}
          onDone={(name) => {
            setNaming('none');
            void attempt(async () => {
              choose((await createSet(name)).id);
              setEdited({ kind: 'new' });
            });
          }}
        />
      )}
      {naming === 'rename' && set && (
        <SetNameDialog
          title={t('statements.renameSet')}
          start={set.name}
          action={t('action.save')}
          onClose={() => setNaming('none')}
          onDone={(name) => {
            setNaming('none');
            void attempt(async () => setSetId((await renameSet(set, name)).id));
          }}
        />
      )}
    </Screen>
  );
};

type BodyProps = Readonly<{
  set: StatementSetView;
  current: string | null;
  onChoose: (statementId: string) => void;
  onRename: () => void;
  onAdd: () => void;
}>;

const SetBody = ({ set, current, onChoose, onRename, onAdd }: BodyProps) => {
  const { t } = useWords();
  const archived = set.archivedAt !== null;
  return (
    <>
      <div className="set-head">
        <h2 className="clip">{set.name}</h2>
        {archived && <span className="muted">{t('statements.isArchived')}</span>}
        <Menu
          label={t('statements.setMenu', { name: set.name })}
          entries={[
            { id: 'rename', text: t('statements.renameSet'), icon: Pencil, run: onRename },
            { id: 'export', text: t('statements.export'), icon: Download, run: () => void exportSet(set) },
            archived
              ? {
                  id: 'back',
                  text: t('statements.bringBackSet'),
                  icon: ArchiveRestore,
                  run: () => void bringBack('set', set.id),
                }
              : { id: 'archive', text: t('statements.archiveSet'), icon: Archive, run: () => void archiveSet(set) },
          ]}
        />
      </div>
      {set.statements.length === 0 ? (
        <EmptyState
          title={t('statements.noStatements')}
          action={
            <Button icon={Plus} onPress={onAdd}>
              {t('statements.add')}
            </Button>
          }
        >
          {t('statements.noStatementsHint')}
        </EmptyState>
      ) : (
        <StatementTable statements={set.statements} current={current} onChoose={onChoose} />
      )}
    </>
  );
};
