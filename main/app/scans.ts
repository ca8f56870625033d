/** The scans of one run over library folders: each folder on its own statements. */
import type { LabelCounts } from '../contract/views.ts';
import { failWith } from '../failure.ts';
import type { Judging } from '../judging/judging.ts';
import { notePresence } from '../library/folders.ts';
import { scanInRun } from '../library/run-scan.ts';
import type { ScanProgress } from '../library/scan-types.ts';
import type { StatementSource } from '../library/statement-source.ts';
import type { FolderRecord, Recheck, RunRecord, Store } from '../store/types.ts';
import type { QuarantinedFile } from './events.ts';
import type { LibraryParts } from './library-parts.ts';
import type { ScanControl } from './run-loop.ts';
import type { Scanned, ScanRequest } from './run-state.ts';

type Counts = Scanned['photos'];
const nothing: Scanned = {
  photos: { found: 0, judged: 0, cached: 0, quarantined: 0, ignored: 0 },
  verdicts: { yes: 0, no: 0, maybe: 0 },
  statementCache: { hits: 0, misses: 0 },
};

const plus = <T extends Readonly<Record<string, number>>>(a: T, b: T): T =>
  Object.fromEntries(Object.entries(a).map(([key, count]) => [key, count + b[key]!])) as T;

const sum = (a: Scanned, b: Scanned): Scanned => ({
  photos: plus(a.photos, countsOf(b.photos)),
  verdicts: plus(a.verdicts, b.verdicts),
  statementCache: plus(a.statementCache, b.statementCache),
});

const countsOf = ({ found, judged, cached, quarantined, ignored }: Counts): Counts => ({
  found,
  judged,
  cached,
  quarantined,
  ignored,
});

const recheckOf = ({ recheck }: ScanRequest, { options: { precision } }: Judging): Recheck =>
  recheck === 'precision' ? { kind: recheck, precision: precision === 'auto' ? 'fp32' : precision } : { kind: recheck };

export const scanFolders = async (
  { core, store, statements, events }: LibraryParts,
  judging: Judging,
  run: RunRecord,
  request: ScanRequest,
  control: ScanControl,
): Promise<Scanned> => {
  if (!(await statements.any())) failWith('no_statement', {});
  const groups = await statements.groups(await presentFolders(store, request.folderIds));
  let done = nothing;
  for (const [i, group] of groups.entries()) {
    const before = done;
    const roots = group.folders.map(({ path }) => path);
    const known = await quarantinedUnder(store, roots);
    const summary = await scanInRun(core, store, judging, run, {
      ...{ roots, statements: group.statements, signal: control.signal, whileRunning: control.whileRunning },
      recheck: recheckOf(request, judging),
      retryQuarantined: request.retryQuarantined,
      onProgress: (progress: ScanProgress) =>
        control.onProgress(
          {
            ...progress,
            ...plus(before.photos, countsOf(progress)),
            discovering: progress.discovering || i < groups.length - 1,
          },
          group.statements.length,
        ),
      onJudged: (photoIds) => void events.emit('judged', photoIds),
    });
    const fresh = summary.quarantined.filter(({ path }: QuarantinedFile) => !known.has(path));
    if (fresh.length > 0) events.emit('quarantined', fresh);
    done = sum(before, summary);
    if (control.signal.aborted) break;
  }
  return done;
};

const quarantinedUnder = async (store: Store, roots: readonly string[]): Promise<ReadonlySet<string>> => {
  const lists = await Promise.all(roots.map((root) => store.quarantine.list(root)));
  return new Set(lists.flat().map(({ path }) => path));
};

/** Effective labels of the folders' photos, each on the statements of its folder. */
export const countFolders = async (
  store: Store,
  statements: StatementSource,
  folderIds: readonly string[],
): Promise<LabelCounts> => {
  let counts = nothing.verdicts;
  for (const group of await statements.groups(named(await store.folders.list(), folderIds))) {
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
    else if (folderIds.length > 0) failWith('folder_missing', { path: folder.path }, { retryable: true });
  }
  return present;
};
