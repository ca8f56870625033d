import { screens } from '../../main/contract/screen-names.ts';
import { themeAfter } from '../../main/contract/themes.ts';
import { type Command, menuCommand, useCommands } from '../commands/registry.ts';
import { changeSettings, pickFolder, scan } from '../data/actions.ts';
import { useTheme } from '../data/appearance.ts';
import { useContents, useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { rowOf } from '../screens.tsx';
import { useScreen, useUi } from '../ui-state.ts';

const { show, setOverlay } = useUi.getState();

/** What can be done from every screen. */
export const useFrameCommands = (): void => {
  const { t } = useWords();
  const { view } = useSettings();
  const theme = useTheme();
  const { folders } = useContents();
  const { inspected = false } = rowOf(useScreen());
  useCommands('frame', [
    ...screens.map(
      ({ name, keys }): Command => ({
        id: `go ${name}`,
        text: { plain: t('command.go', { screen: t(`screen.${name}`) }) },
        group: 'go',
        keys,
        run: () => show(name),
      }),
    ),
    menuCommand('add_folder', { text: 'command.addFolder', group: 'library', run: () => void pickFolder() }),
    menuCommand('scan', { text: 'command.scan', group: 'library', enabled: folders, run: () => void scan() }),
    menuCommand('palette', { text: 'command.palette', group: 'view', run: () => setOverlay('palette') }),
    menuCommand('keys', { text: 'command.keys', group: 'view', run: () => setOverlay('keys') }),
    menuCommand('inspector', {
      text: 'command.inspector',
      group: 'view',
      enabled: inspected,
      run: () => void changeSettings({ view: { inspector: !view.inspector } }),
    }),
    {
      id: 'theme',
      text: 'command.theme',
      group: 'view',
      run: () => void changeSettings({ theme: themeAfter(theme.name) }),
    },
  ]);
};
