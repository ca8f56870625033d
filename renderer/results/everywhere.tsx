/** What the results do and offer on every screen: they are kept up to date, searched, and exported. */
import { menuCommand, useCommands } from '../commands/registry.ts';
import { useContents } from '../data/queries.ts';
import { useUi } from '../ui-state.ts';
import { ExportDialog } from './export-dialog.tsx';
import { useResultsLive } from './live.ts';
import { useResultsView } from './state.ts';

const search = (): void => {
  useUi.getState().show('results');
  useResultsView.setState({ searching: true });
};

export const ResultsEverywhere = () => {
  const { photos } = useContents();
  const exporting = useUi((state) => state.overlay === 'export');
  useResultsLive();
  useCommands('results everywhere', [
    {
      id: 'export',
      text: 'command.export',
      group: 'results',
      keys: ['$mod+Shift+e'],
      enabled: photos,
      run: () => useUi.getState().setOverlay('export'),
    },
    menuCommand('find', { text: 'command.find', group: 'results', run: search }, '/', '[Shift]+/'),
  ]);
  return exporting && <ExportDialog />;
};
