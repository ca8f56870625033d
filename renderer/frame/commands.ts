import { screens } from '../../main/contract/screen-names.ts';
import { themeAfter } from '../../main/contract/themes.ts';
import { type Command, useCommands } from '../commands/registry.ts';
import { changeSettings, pickFolder, scan } from '../data/actions.ts';
import { useTheme } from '../data/appearance.ts';
import { useContents, useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { useScreen, useUi } from '../ui-state.ts';

const { show, setOverlay } = useUi.getState();

/** What can be done from every screen. The ids of the last ones are those that the shell's menu sends. */
export const useFrameCommands = (): void => {
  const { t } = useWords();
  const { view } = useSettings();
  const theme = useTheme();
  const { folders } = useContents();
  const screen = useScreen();
  const inspected = screen === 'review' || screen === 'results';
  useCommands('frame', [
    ...screens.map(
      ({ name, keys }): Command => ({
        id: `go ${name}`,
        text: { plain: t('command.go', { screen: t(`screen.${name}`) }) },
        group: 'go',
        keys: keys.map((key) => `$mod+${key}`),
        run: () => show(name),
      }),
    ),
    { id: 'add_folder', text: 'command.addFolder', group: 'library', keys: ['$mod+o'], run: () => void pickFolder() },
    {
      id: 'scan',
      text: 'command.scan',
      group: 'library',
      keys: ['$mod+r'],
      enabled: folders,
      run: () => void scan(),
    },
    { id: 'palette', text: 'command.palette', group: 'view', keys: ['$mod+k'], run: () => setOverlay('palette') },
    { id: 'keys', text: 'command.keys', group: 'view', keys: ['[Shift]+?'], run: () => setOverlay('keys') },
    {
      id: 'inspector',
      text: 'command.inspector',
      group: 'view',
      keys: ['i'],
      enabled: inspected,
      run: () => void changeSettings({ view: { inspector: !view.inspector } }),
    },
    {
      id: 'theme',
      text: 'command.theme',
      group: 'view',
      run: () => void changeSettings({ theme: themeAfter(theme.name) }),
    },
  ]);
};
