/** `vouch watch DIR...`: judges photos as they arrive, until interrupted. */
import { once } from 'node:events';
import type { Command } from 'commander';
import { openEvents } from '../app/events.ts';
import { type LibraryService, openLibraryService } from '../app/library-service.ts';
import { openWatching } from '../app/watching.ts';
import { exitCodes, type WatchLine } from '../contract/cli.ts';
import { vouchError } from '../contract/error.ts';
import { errorOf, VouchFailure } from '../failure.ts';
import { isGone } from '../library/presence.ts';
import { bySets, theSame } from '../library/statement-source.ts';
import { readSettings } from '../settings.ts';
import type { Store } from '../store/types.ts';
import { errorText, quarantineText, reasonText, watchFix } from '../words/english.ts';
import { checkGiven, folderAt, readGiven, storeGiven } from './given.ts';
import { collect, common, type EngineOptions, engine, judgingOptionsFrom } from './options.ts';
import { type CommandSession, type CommonOptions, withSession } from './session.ts';
import { openWatchLines, type WatchLines } from './watch-lines.ts';

type WatchOptions = CommonOptions & EngineOptions & Readonly<{ statement: readonly string[]; set?: string }>;

export const addWatch = (program: Command, entry: string): void => {
  engine(common(program.command('watch'), 'print JSON Lines: one document for each thing that happens'))
    .summary('judge photos as they arrive in folders')
    .description(
      'Judges what is new in the folders, then follows them: photos that arrive or change are judged once they are\n' +
        'whole, renamed and moved ones keep their verdicts and reviews, deleted ones leave the library. Goes on until\n' +
        'interrupted with Ctrl+C, and then exits with 130. No photo is ever changed.',
    )
    .argument('<dir...>', 'folders to watch, with all below them')
    .option('-s, --statement <text>', 'a statement to check (repeatable)', collect, [])
    .option('--set <file>', 'a statement set in YAML')
    .addHelpText(
      'after',
      '\nWithout -s and --set, the statements are those of each folder’s set, else all that there are.\n' +
        '\nLines of --json, by their "event": folder (how it is followed), photo (with its verdicts), quarantined,\n' +
        'gone, done (a piece of work: photos judged, quarantined, wanting review), failed (and tried again).\n' +
        '\nExamples:\n  vouch watch ~/Photos -s "a dog"\n  vouch watch ~/Photos ~/Camera --json >> arrivals.jsonl',
    )
    .action((dirs: readonly string[], options: WatchOptions) =>
      withSession(entry, options, (session) => runCommand(session, dirs, options)),
    );
};

const runCommand = async (session: CommandSession, dirs: readonly string[], options: WatchOptions): Promise<void> => {
  const { core, signal } = session;
  const paths = await Promise.all(dirs.map(folderAt));
  const given = await readGiven(options);
  await session.withJudging(judgingOptionsFrom(options, { prescreen: true }), async (judging) => {
    await checkGiven(given, judging);
    await session.withStore('write', async (store) => {
      for (const path of paths) await store.folders.upsert(path, {});
      const packId = judging.pack.manifest.id;
      const own = await storeGiven(given, store, packId);
      // What is given holds for all folders; without it, each folder goes by its own set.
      const statements = own.length > 0 ? theSame(own) : bySets(store, () => packId);
      for (const path of paths) {
        if ((await statements.of(path)).length === 0) throw new VouchFailure(vouchError('no_statement', {}));
      }
      // A model that cannot be had is said now, not when the first photo arrives.
      await judging.engine();
      const library = openLibraryService({
        ...{ core, store, statements, events: openEvents(), packId: () => packId, judging: async () => judging },
        settings: () => readSettings(core.home.settings),
      });
      await follow(library, paths, openWatchLines(options.json ?? false), signal);
      process.exitCode = exitCodes.interrupted;
    });
  });
};

/** Resolves when interrupted, with everything under way finished or let go. */
const follow = async (
  library: LibraryService,
  paths: readonly string[],
  lines: WatchLines,
  signal: AbortSignal,
): Promise<void> => {
  printEvents(library, lines, signal);
  const watching = openWatching(library, { folders: async () => paths, nightly: paths });
  await watching.refresh();
  if (!signal.aborted) await once(signal, 'abort');
  await Promise.all([watching.close(), library.close()]);
  await lines.end();
};

const printEvents = ({ store, events }: LibraryService, lines: WatchLines, signal: AbortSignal): void => {
  const now = () => new Date().toISOString();
  const print = (line: WatchLine) => lines.put(async () => [line]);
  events.on('judged', (photoIds) => lines.put(() => photoLines(store, photoIds)));
  events.on('quarantined', (files) => {
    for (const { path, reason } of files) {
      print({ event: 'quarantined', path, reason: quarantineText(reason), reasonCode: reason.code, at: now() });
    }
  });
  events.on('gone', (gone) => {
    for (const path of gone) print({ event: 'gone', path, at: now() });
  });
  events.on('folderState', (path, state) =>
    print({ event: 'folder', path, state: state.mode, fix: watchFix(state), at: now() }),
  );
  events.on('workFinished', ({ photoIds, quarantined }) =>
    lines.put(async () => {
      const wantReview = await store.results.wantsReviewAmong(photoIds);
      return [{ event: 'done', photos: { judged: photoIds.length, quarantined, wantReview }, at: now() }];
    }),
  );
  events.on('failed', (error) => {
    if (signal.aborted) return;
    const known = errorOf(error);
    print({ event: 'failed', error: errorText(known), errorCode: known.code, at: now() });
  });
};

const photoLines = async (store: Store, photoIds: readonly string[]): Promise<readonly WatchLine[]> => {
  const found: WatchLine[] = [];
  for (const id of photoIds) {
    const line = await photoLine(store, id);
    if (line) found.push(line);
  }
  return found;
};

/** A photo that has just moved is known at both places for a moment. */
const presentPath = async (paths: readonly string[]): Promise<string | null> => {
  for (const path of paths) if (!(await isGone(path))) return path;
  return null;
};

const photoLine = async (store: Store, id: string): Promise<WatchLine | null> => {
  const found = await store.results.photo(id);
  if (!found) return null;
  const path = await presentPath(found.photo.paths.filter(({ alive }) => alive).map((known) => known.path));
  if (path === null) return null;
  return {
    event: 'photo',
    photo: id,
    path,
    damaged: found.photo.damaged,
    verdicts: found.pairs.map(({ text, effectiveLabel, wantsReview, current }) => ({
      id: current.id,
      statement: text,
      label: current.label,
      effectiveLabel,
      confidence: current.confidence,
      grade: current.grade,
      reason: reasonText(current.reason),
      reasonCode: current.reason.code,
      wantsReview,
    })),
    at: new Date().toISOString(),
  };
};
