import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  TextField,
  useFilter,
} from 'react-aria-components';
import type { ResultFilter } from '../../main/contract/result-filter.ts';
import { useFolders, useSets } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { KeyHint } from '../ui/kbd.tsx';
import { folderName } from '../ui/path.ts';
import { useScreen, useUi } from '../ui-state.ts';
import { type Command, useCommandList } from './registry.ts';

export const commandText = (t: TFunction, { text }: Pick<Command, 'text'>): string =>
  typeof text === 'string' ? t(text) : text.plain;

/** Statements and folders as commands: the results that belong to them. */
const useJumps = (): readonly Command[] => {
  const { t } = useWords();
  const sets = useSets().data;
  const folders = useFolders().data;
  return useMemo(() => {
    const jump = (id: string, plain: string, filter: ResultFilter): Command => ({
      id,
      text: { plain },
      group: 'results',
      run: () => useUi.getState().showResults({ filter }),
    });
    return [
      ...(sets ?? []).flatMap((set) =>
        set.statements.map(({ id, text }) =>
          jump(`statement ${id}`, t('palette.statement', { text }), { statementIds: [id] }),
        ),
      ),
      ...(folders ?? []).map(({ id, path }) =>
        jump(`folder ${id}`, t('palette.folder', { name: folderName(path) }), { folderId: id }),
      ),
    ];
  }, [t, sets, folders]);
};

export const Palette = () => {
  const { t } = useWords();
  const lists = useCommandList((state) => state.lists);
  const jumps = useJumps();
  const setOverlay = useUi((state) => state.setOverlay);
  const { contains } = useFilter({ sensitivity: 'base' });
  const screen = useScreen();
  const commands = useMemo(() => {
    const able = [...lists.values()].flat().filter(({ id, enabled }) => enabled !== false && id !== 'palette');
    const near = ({ group, keys }: Command): number =>
      group === screen && keys?.length ? 0 : group === 'photo' ? 1 : group === screen ? 2 : 3;
    return [...able.toSorted((a, b) => near(a) - near(b)), ...jumps];
  }, [lists, jumps, screen]);
  return (
    <ModalOverlay className="scrim top" isOpen isDismissable onOpenChange={(open) => !open && setOverlay('none')}>
      <Modal className="modal">
        <Dialog className="palette" aria-label={t('palette.title')}>
          <Autocomplete filter={contains}>
            <TextField aria-label={t('palette.placeholder')} autoFocus>
              <Input className="input" placeholder={t('palette.placeholder')} />
            </TextField>
            <Menu
              className="list"
              aria-label={t('palette.title')}
              items={commands}
              renderEmptyState={() => <div className="nothing">{t('palette.nothing')}</div>}
            >
              {(command) => (
                <MenuItem
                  className="item"
                  textValue={commandText(t, command)}
                  onAction={() => {
                    setOverlay('none');
                    command.run();
                  }}
                >
                  <span className="clip">{commandText(t, command)}</span>
                  {command.keys?.[0] && (
                    <span className="end">
                      <KeyHint keys={command.keys[0]} />
                    </span>
                  )}
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
};
