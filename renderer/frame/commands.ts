import { useCommands } from '../commands/registry.ts';
import { changeSettings, pickFolder, scan } from '../data/actions.ts';
import { useContents, useSettings } from '../data/queries.ts';
import { useUi } from '../ui-state.ts';

/** What can be done from every screen. The ids of the last ones are those that the shell's menu sends. */
export const useFrameCommands = (): void => {
  const settings = useSettings();
  const { show, setOverlay } = useUi.getState();
  const { folders, photos } = useContents();
  const inspected = useUi(({ screen }) => screen === 'review' || screen === 'results');
  const dark = document.documentElement.dataset.theme !== 'light';
  useCommands('frame', [
    { id: 'go review', text: 'command.goReview', group: 'go', keys: ['$mod+1'], run: () => show('review') },
    { id: 'go library', text: 'command.goLibrary', group: 'go', keys: ['$mod+2'], run: () => show('library') },
    { id: 'go results', text: 'command.goResults', group: 'go', keys: ['$mod+3'], run: () => show('results') },
    { id: 'go statements', text: 'command.goStatements', group: 'go', keys: ['$mod+4'], run: () => show('statements') },
    { id: 'go engine', text: 'command.goEngine', group: 'go', keys: ['$mod+5'], run: () => show('engine') },
    {
      id: 'go settings',
      text: 'command.goSettings',
      group: 'go',
      keys: ['$mod+,', '$mod+6'],
      run: () => show('settings'),
    },
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
      run: () => void changeSettings({ view: { inspector: !settings.view.inspector } }),
    },
    {
      id: 'theme',
      text: 'command.theme',
      group: 'view',
      run: () => void changeSettings({ theme: dark ? 'light' : 'dark' }),
    },
    {
      id: 'export',
      text: 'command.export',
      group: 'results',
      keys: ['$mod+Shift+e'],
      enabled: photos,
      run: () => setOverlay('export'),
    },
    {
      id: 'find',
      text: 'command.find',
      group: 'results',
      keys: ['$mod+f', '/', '[Shift]+/'],
      run: () => {
        show('results');
        setTimeout(() => {
          const field = document.querySelector<HTMLInputElement>('.search input');
          field?.focus();
          field?.select();
        });
      },
    },
  ]);
};
