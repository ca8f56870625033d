/** What a person can set going. Failures come as toasts; the core's events bring the new state. */
import type { InputOf } from '../../main/contract/api.ts';
import type { EngineChange, SettingsChange } from '../../main/contract/settings.ts';
import { errorOf } from '../../main/failure.ts';
import { i18n } from '../i18n/index.ts';
import { windowWords } from '../i18n/words.ts';
import { toast } from '../ui/toast.tsx';
import { useUi } from '../ui-state.ts';
import { answerOf, vouch } from './call.ts';
import { client, keys } from './client.ts';

export const reportFailure = (failure: unknown): void => {
  const error = errorOf(failure);
  if (error.code !== 'cancelled') toast({ title: windowWords().errorText(error), bad: true });
};

/** Runs a call, reports its failure, and tells whether it went well. */
export const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await work();
    return true;
  } catch (failure) {
    reportFailure(failure);
    return false;
  }
};

const setRun = (run: unknown) => client.setQueryData(keys.run, run);

export const changeSettings = (change: SettingsChange) =>
  attempt(async () => client.setQueryData(keys.settings, await answerOf(vouch.settings.set(change))));

export const configureEngine = (change: EngineChange) =>
  attempt(async () => client.setQueryData(keys.engine, await answerOf(vouch.engine.configure(change))));

/** All folders where none is named; `recheck`: what to judge again. */
export const scan = (folderIds: readonly string[] = [], recheck?: InputOf<'library', 'scan'>['recheck']) =>
  attempt(async () =>
    setRun(await answerOf(vouch.library.scan({ folderIds: [...folderIds], ...(recheck && { recheck }) }))),
  );

const addFolders = (paths: readonly string[]) =>
  attempt(async () => {
    if (paths.length === 0) return;
    const folders = await answerOf(vouch.library.add({ paths: [...paths] }));
    await client.invalidateQueries({ queryKey: keys.folders });
    useUi.getState().show('library');
    setRun(await answerOf(vouch.library.scan({ folderIds: folders.map((folder) => folder.id) })));
  });

export const pickFolder = () => attempt(async () => void (await addFolders(await answerOf(vouch.library.pick()))));

export const dropFiles = (files: Iterable<File>) =>
  addFolders([...files].map((file) => vouch.pathOf(file)).filter((path) => path !== ''));

export const pauseRun = (runId: string) => attempt(async () => setRun(await answerOf(vouch.library.pause({ runId }))));
export const resumeRun = (runId: string) =>
  attempt(async () => setRun(await answerOf(vouch.library.resume({ runId }))));
export const cancelRun = (runId: string) =>
  attempt(async () => setRun(await answerOf(vouch.library.cancel({ runId }))));

export const retryQuarantined = (ids: readonly string[]) =>
  attempt(async () => setRun(await answerOf(vouch.library.retry({ ids: [...ids] }))));

export const retryTags = () => attempt(() => answerOf(vouch.library.retryTags()));

export const exportQuarantine = () =>
  attempt(async () => {
    const written = await answerOf(vouch.library.exportQuarantine());
    if (written) toast({ title: i18n.t('quarantine.exported', { count: written.rows, path: written.path }) });
  });

export const reveal = (kind: 'folder' | 'photo' | 'quarantined', id: string) =>
  attempt(() => answerOf(vouch.library.reveal({ kind, id })));

/** Opens the library from somewhere else, where it could not be opened as it was. */
export const openFrom = (from: 'backup' | 'nothing' | 'again') =>
  attempt(async () => {
    client.setQueryData(keys.start, await answerOf(vouch.start.open({ from })));
    await client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.start[0] });
  });

export const configureFolder = (change: InputOf<'library', 'configure'>) =>
  attempt(async () => {
    await answerOf(vouch.library.configure(change));
    await client.invalidateQueries({ queryKey: keys.folders });
  });

export const removeFolder = (folderId: string) =>
  attempt(async () => {
    const removal = await answerOf(vouch.library.remove({ folderId }));
    await client.invalidateQueries();
    toast({ title: i18n.t('library.removed', { count: removal.photos }) });
  });
