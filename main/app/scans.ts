/** One run of the app over its folders: each folder on the statements of its own set. */
import type { LabelCounts } from '../contract/views.ts';
import type { Judging } from '../judging/judging.ts';
import { groupBySet, notePresence } from '../library/folders.ts';
import { runScan } from '../library/run-scan.ts';
import type { ScanProgress } from '../library/scan-types.ts';
import type { FolderRecord, Recheck, Store } from '../store/types.ts';
import type { Core } from './core.ts';
import { failWith } from './errors.ts';
import type { ScanControl, Scanned } from './runs.ts';

type Counts = Scanned['photos'];
const noPhotos: Counts = { found: 0, judged: 0, cached: 0, quarantined: 0, ignored: 0 };
const noVerdicts: LabelCounts = { yes: 0, no: 0, maybe: 0 };

const plus = <T extends Readonly<Record<string, number>>>(a: T, b: T): T =>
  Object.fromEntries(Object.entries(a).map(([key, count]) => [key, count + b[key]!])) as T;

const countsOf = ({ found, judged, cached, quarantined, ignored }: Counts): Counts => ({
  ...{ found, judged, cached, quarantined, ignored },
});

export type FolderScan = Readonly<{
  /** Folders by path; none named: all. */
  folderIds: readonly string[];
  recheck: Recheck;
  retryQuarantined: boolean;
  control: ScanControl;
  onStatements: (count: number) => void;
  onJudged: (photoIds: readonly string[]) => void;
}>;

export const scanFolders = async (
  core: Core,
  store: Store,
  judging: Judging,
  { folderIds, control, onStatements, onJudged, ...how }: FolderScan,
): Promise<Scanned> => {
  const sets = await store.statements.list();
  const packId = judging.pack.manifest.id;
  if (!sets.some((set) => set.packId === packId && set.statements.length > 0)) failWith('no_statement', {});
  const groups = groupBySet(await presentFolders(store, folderIds), sets, packId);
  let photos = noPhotos;
  let verdicts = noVerdicts;
  for (const [i, { folders, statements }] of groups.entries()) {
    onStatements(statements.length);
    const before = photos;
    const tell = (progress: ScanProgress) =>
      control.onProgress({
        ...progress,
        ...plus(before, countsOf(progress)),
        discovering: progress.discovering || i < groups.length - 1,
      });
    const roots = folders.map(({ path }) => path);
    const summary = await runScan(core, store, judging, {
      ...{ ...how, ...control, roots, statements, onProgress: tell, onJudged },
    });
    photos = plus(before, countsOf(summary.photos));
    verdicts = plus(verdicts, summary.verdicts);
    if (control.signal.aborted) break;
  }
  return { photos, verdicts };
};

/** Effective labels of the folders' photos, each on the statements of its folder. */
export const countFolders = async (
  store: Store,
  folderIds: readonly string[],
  packId: string,
): Promise<LabelCounts> => {
  const [folders, sets] = await Promise.all([store.folders.list(), store.statements.list()]);
  let counts = noVerdicts;
  for (const group of groupBySet(named(folders, folderIds), sets, packId)) {
    const paths = group.folders.map(({ path }) => path);
    const keys = group.statements.map(({ key }) => key);
    counts = plus(counts, await store.verdicts.countUnder(paths, keys));
  }
  return counts;
};

const named = <Folder extends FolderRecord>(folders: readonly Folder[], ids: readonly string[]): readonly Folder[] =>
  ids.length > 0 ? folders.filter(({ path }) => ids.includes(path)) : folders;

/** The folders to walk: those named, or all that can be reached now. Notes which ones cannot. */
const presentFolders = async (store: Store, folderIds: readonly string[]): Promise<readonly FolderRecord[]> => {
  const present: FolderRecord[] = [];
  for (const folder of named(await store.folders.list(), folderIds)) {
    if ((await notePresence(store, folder)) === 'ok') present.push(folder);
    else if (folderIds.length > 0) failWith('folder_missing', { path: folder.path }, true);
  }
  return present;
};
