import { FolderOpen, LayoutGrid, RotateCw, Settings2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { FolderRemoval, FolderView } from '../../main/contract/views.ts';
import { attempt, removeFolder, reveal, scan } from '../data/actions.ts';
import { answerOf, vouch } from '../data/call.ts';
import { useWords } from '../i18n/index.ts';
import { IconButton } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Menu } from '../ui/menu.tsx';
import { folderName } from '../ui/path.ts';
import { Path, When } from '../ui/text.tsx';
import { useUi } from '../ui-state.ts';
import { FolderDialog } from './folder-dialog.tsx';
import { WatchCell } from './watch-cell.tsx';

type Asked = Readonly<{ folder: FolderView; removal: FolderRemoval }>;

export const FolderTable = ({ folders, busy }: Readonly<{ folders: readonly FolderView[]; busy: boolean }>) => {
  const { t, format, watchFix } = useWords();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [configured, setConfigured] = useState<FolderView | null>(null);
  const ask = (folder: FolderView) =>
    attempt(async () => setAsked({ folder, removal: await answerOf(vouch.library.removal({ folderId: folder.id })) }));
  const showResults = useUi((state) => state.showResults);
  return (
    <section>
      <h2>{t('library.folders')}</h2>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('library.folder')}</th>
            <th scope="col" className="figure">
              {t('library.photos')}
            </th>
            <th scope="col" className="figure">
              {t('library.wantsReview')}
            </th>
            <th scope="col" className="figure">
              {t('library.quarantined')}
            </th>
            <th scope="col">{t('library.watched')}</th>
            <th scope="col">{t('library.lastScan')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {folders.map((folder) => (
            <tr key={folder.id}>
              <td>
                <span className="folder-name">
                  <span className="name">{folder.samples ? t('library.samples') : folderName(folder.path)}</span>
                  <small>
                    {folder.present ? (
                      <Path path={folder.path} length={72} />
                    ) : (
                      <span className="warn">{t('library.offline', { path: folder.path })}</span>
                    )}
                    {folder.setId !== null && ` ${t('library.judgedOn', { set: folder.setId })}`}
                  </small>
                  {folder.watch?.mode === 'polling' && (
                    <small className="warn selectable">{watchFix(folder.watch)}</small>
                  )}
                </span>
              </td>
              <td className="figure">{format.integer(folder.photos)}</td>
              <td className="figure">{format.integer(folder.wantsReview)}</td>
              <td className="figure">{format.integer(folder.quarantined)}</td>
              <td>
                <WatchCell folder={folder} />
              </td>
              <td>
                {folder.lastScanAt === null ? (
                  <span className="muted">{t('library.never')}</span>
                ) : (
                  <When at={folder.lastScanAt} />
                )}
              </td>
              <td className="tight">
                <span className="row-actions">
                  <IconButton
                    label={t('library.showResults', { name: folderName(folder.path) })}
                    icon={LayoutGrid}
                    onPress={() => showResults({ filter: { folderId: folder.id } })}
                  />
                  <IconButton
                    label={t('library.scanFolder', { name: folderName(folder.path) })}
                    icon={RotateCw}
                    isDisabled={busy || !folder.present}
                    onPress={() => void scan([folder.id])}
                  />
                  <Menu
                    label={t('library.more', { name: folderName(folder.path) })}
                    entries={[
                      {
                        id: 'settings',
                        text: t('library.settings'),
                        icon: Settings2,
                        run: () => setConfigured(folder),
                      },
                      {
                        id: 'reveal',
                        text: t('action.reveal'),
                        icon: FolderOpen,
                        disabled: !folder.present,
                        run: () => void reveal('folder', folder.id),
                      },
                      { id: 'remove', text: t('library.remove'), icon: Trash2, run: () => void ask(folder) },
                    ]}
                  />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {configured && <FolderDialog folder={configured} onClose={() => setConfigured(null)} />}
      {asked && (
        <Confirm
          danger
          title={t('library.removeTitle', { name: folderName(asked.folder.path) })}
          consequence={t('library.removeConsequence', {
            photos: t('count.photos', { count: asked.removal.photos }),
            verdicts: t('count.verdicts', { count: asked.removal.verdicts }),
            reviews: t('count.reviews', { count: asked.removal.reviews }),
          })}
          action={t('library.remove')}
          onConfirm={() => {
            setAsked(null);
            void removeFolder(asked.folder.id);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
};
