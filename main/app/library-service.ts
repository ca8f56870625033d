/**
 * What works on an open library, whichever shell there is: runs, decisions, tags. The window keeps one open for as long
 * as it lives, `vouch watch` until it is interrupted, the local server while it is asked for something that writes.
 */
import { beginRun, endRun, failRun } from '../library/run-record.ts';
import { openTagger, type Tagger } from '../library/tagging/tagger.ts';
import { reviewerName } from '../review/reviewer.ts';
import type { RunRecord, Store } from '../store/types.ts';
import type { Core } from './core.ts';
import type { LibraryParts } from './library-parts.ts';
import { openReviews, type Reviews } from './reviews.ts';
import type { RunEnd } from './run-loop.ts';
import type { ScanRequest } from './run-state.ts';
import { openRuns, type Runs } from './runs.ts';
import { countFolders, scanFolders } from './scans.ts';

export type LibraryService = LibraryParts &
  Readonly<{
    runs: Runs;
    tagger: Tagger;
    reviews: Reviews;
    /** Statements have changed: judges what is known of all photos on the new ones. */
    statementsChanged: () => Promise<void>;
    close: () => Promise<void>;
  }>;

/** All folders, and of those only what is not judged yet. */
export const everything: ScanRequest = { folderIds: [], recheck: 'none', retryQuarantined: false };

export const openLibraryService = (parts: LibraryParts): LibraryService => {
  const { core, store, events, statements } = parts;
  const tagger = tagAsThingsChange(parts);
  const runs = openRuns({
    begin: (id, request) => noteBegin(parts, id, request),
    scan: async (run, request, control) => scanFolders(parts, await parts.judging(), run, request, control),
    end: (run, end) => noteEnd(core, store, run, end),
    explain: (thrown) => core.explain('scanning', thrown),
    verdicts: (folderIds) => countFolders(store, statements, folderIds),
    onChange: (run) => void events.emit('runChanged', run),
    onVerdicts: () => void events.emit('verdictsChanged'),
    onEnd: (run) => {
      events.emit('runEnded', run);
      events.emit('foldersChanged');
      events.emit('quarantineChanged');
    },
  });
  return {
    ...parts,
    runs,
    tagger,
    reviews: openReviews({ store, events, reviewer: () => reviewerName(parts.settings()) }),
    statementsChanged: async () => {
      events.emit('statementsChanged');
      const folders = await store.folders.list();
      if (folders.length > 0 && (await statements.any())) void runs.soon(everything);
      else events.emit('verdictsChanged');
    },
    close: async () => {
      await Promise.all([runs.close(), tagger.close()]);
    },
  };
};

const tagAsThingsChange = ({ core, store, events, settings }: LibraryParts): Tagger => {
  const tagger = openTagger({
    store,
    rules: () => settings().tags,
    onTagged: () => {
      events.emit('tagsChanged');
      events.emit('verdictsChanged');
    },
    onFailed: (failed) => core.telemetry.emit('sidecars_not_written', { failed: failed.slice(0, 20) }),
    onError: (error) => {
      core.telemetry.emit('tagging_failed', { error: String(error) });
      events.emit('failed', error);
    },
  });
  for (const topic of ['judged', 'runEnded', 'queuesChanged', 'statementsChanged'] as const) {
    events.on(topic, tagger.nudge);
  }
  return tagger;
};

const noteBegin = async (
  { core, store, packId, statements }: LibraryParts,
  id: string,
  { folderIds }: ScanRequest,
): Promise<RunRecord> => {
  const folders = (await store.folders.list()).filter(({ path }) => folderIds.length === 0 || folderIds.includes(path));
  const keys = (await statements.groups(folders)).flatMap((group) => group.statements.map(({ key }) => key));
  return beginRun(core, store, {
    ...{ kind: 'scan', id, model: packId(), statements: new Set(keys).size },
    roots: folders.map(({ path }) => path),
  });
};

const noteEnd = (core: Core, store: Store, run: RunRecord, end: RunEnd): Promise<void> =>
  end.state === 'failed' ? failRun(core, store, run, end.cause) : endRun(core, store, run, end.state, end.totals);
