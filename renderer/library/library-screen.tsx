import './library.css';
import { FolderPlus } from 'lucide-react';
import { menuCommands } from '../../main/contract/menu.ts';
import { pickFolder, scan } from '../data/actions.ts';
import { useFolders, useRun } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Gap, Screen } from '../ui/screen.tsx';
import { EmptyState, Failure } from '../ui/states.tsx';
import { FolderTable } from './folder-table.tsx';
import { QuarantineList } from './quarantine-list.tsx';
import { RunPanel } from './run-panel.tsx';
import { TagProblems } from './tag-problems.tsx';

export const LibraryScreen = () => {
  const { t } = useWords();
  const folders = useFolders();
  const run = useRun().data;
  const busy = run?.status === 'running' || run?.status === 'paused';
  return (
    <Screen
      title={t('screen.library')}
      bar={
        <>
          <Gap />
          <Button isDisabled={busy || !folders.data?.length} onPress={() => void scan()} keys={menuCommands.scan}>
            {t('library.scanAll')}
          </Button>
          <Button kind="primary" icon={FolderPlus} onPress={() => void pickFolder()}>
            {t('action.addFolder')}
          </Button>
        </>
      }
    >
      <div className="content">
        {folders.isError ? (
          <div className="library">
            <Failure failure={folders.error} retry={() => void folders.refetch()} />
          </div>
        ) : folders.data?.length === 0 ? (
          <EmptyState
            title={t('library.empty')}
            action={
              <Button kind="primary" icon={FolderPlus} onPress={() => void pickFolder()}>
                {t('action.addFolder')}
              </Button>
            }
          >
            {t('library.emptyHint')}
          </EmptyState>
        ) : (
          <div className="library">
            {run && <RunPanel run={run} />}
            <TagProblems />
            {folders.data && <FolderTable folders={folders.data} busy={busy} />}
            <QuarantineList busy={busy} />
          </div>
        )}
      </div>
    </Screen>
  );
};
