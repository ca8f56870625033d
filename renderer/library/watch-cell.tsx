import type { FolderView } from '../../main/contract/views.ts';
import { configureFolder } from '../data/actions.ts';
import { useWords } from '../i18n/index.ts';
import { Switch } from '../ui/fields.tsx';
import { folderName } from '../ui/path.ts';

/** Whether the folder is watched, and how. */
export const WatchCell = ({ folder }: Readonly<{ folder: FolderView }>) => {
  const { t } = useWords();
  const name = folderName(folder.path);
  const mode = folder.watched ? (folder.watch?.mode ?? 'starting') : 'off';
  return (
    <Switch
      label={t('library.watchFolder', { name })}
      selected={folder.watched}
      onChange={(watched) => void configureFolder({ folderId: folder.id, watched })}
    >
      <span className={mode === 'polling' || mode === 'offline' ? 'warn' : 'muted'}>{t(`library.watch.${mode}`)}</span>
    </Switch>
  );
};
