/** The first run: the bundled samples and a statement set, so that there is something to see before anything is set up. */
import { readSetFile } from '../statements/set-file.ts';
import type { Store } from '../store/types.ts';
import type { Core } from './core.ts';

const offered = 'samplesOffered';

export const samplesFolder = (core: Core): string => core.resource('samples');

/** Registers the samples in an empty library, once in its life; true when it did. */
export const offerSamples = async (core: Core, store: Store, packId: string): Promise<boolean> => {
  if ((await store.settings.get(offered)) === true) return false;
  await store.settings.set(offered, true);
  const [folders, sets] = await Promise.all([store.folders.list(), store.statements.list()]);
  if (folders.length > 0 || sets.length > 0) return false;
  await store.statements.upsertSet(await readSetFile(core.resource('statements', 'samples.yaml')), packId);
  await store.folders.upsert(samplesFolder(core), {});
  return true;
};
