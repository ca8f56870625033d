/** `vouch watch DIR...`: judges photos as they arrive, until interrupted. */
import type { Command } from 'commander';
import { exitCodes, type WatchLine } from '../contract/cli.ts';
import { vouchError } from '../contract/error.ts';
import { errorOf, VouchFailure } from '../failure.ts';
import type { Judging } from '../judging/judging.ts';
import { rootAt, statementsFor } from '../library/folders.ts';
import { keepNightly } from '../library/nightly.ts';
import { isGone } from '../library/presence.ts';
import { runScan } from '../library/run-scan.ts';
import { openTagger } from '../library/tagging/tagger.ts';
import { watchArrivals } from '../library/watch/arrivals.ts';
import { openWorkDigest } from '../library/work-digest.ts';
import { readSettings } from '../settings.ts';
import type { StatementRecord, Store } from '../store/types.ts';
import { errorText, quarantineText, reasonText, watchFix } from '../words/english.ts';
import { checkGiven, folderAt, type Given, readGiven, storeGiven } from './given.ts';
import { collect, common, type EngineOptions, engine, judgingOptionsFrom } from './options.ts';
import { type CommonOptions, type Session, withSession } from './session.ts';
import { openWatchLines, type WatchLines } from './watch-lines.ts';

type WatchOptions = CommonOptions & EngineOptions & Readonly<{ statement: readonly string[]; set?: string }>;

/** A piece of work is finished when nothing happened for so long. */
const calmMs = 2000;

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

const runCommand = async (session: Session, dirs: readonly string[], options: WatchOptions): Promise<void> => {
  const paths = await Promise.all(dirs.map(folderAt));
  const given = await readGiven(options);
  await session.withJudging(judgingOptionsFrom(options, { prescreen: true }), async (judging) => {
    await checkGiven(given, judging);
    await session.withStore('write', async (store) => {
      for (const path of paths) await store.folders.upsert(path, {});
      const statements = await statementSource(given, store, judging);
      for (const path of paths) {
        if ((await statements(path)).length === 0) throw new VouchFailure(vouchError('no_statement', {}));
      }
      // A model that cannot be had is said now, not when the first photo arrives.
      await judging.engine();
      await follow(session, store, judging, paths, statements, openWatchLines(options.json ?? false));
      process.exitCode = exitCodes.interrupted;
    });
  });
};

type Statements = (folder: string) => Promise<readonly StatementRecord[]>;

/** What is given holds for all folders; without it, each folder goes by its own set. */
const statementSource = async (given: Given, store: Store, judging: Judging): Promise<Statements> => {
  const packId = judging.pack.manifest.id;
  const own = await storeGiven(given, store, packId);
  if (own.length > 0) return async () => own;
  return async (path) => {
    const [folders, sets] = await Promise.all([store.folders.list(), store.statements.list()]);
    const folder = folders.find((known) => known.path === path);
    return folder ? statementsFor(folder, sets, packId) : [];
  };
};

/** Resolves when interrupted, with everything under way finished or let go. */
const follow = async (
  { core, signal }: Session,
  store: Store,
  judging: Judging,
  paths: readonly string[],
  statements: Statements,
  lines: WatchLines,
): Promise<void> => {
  const now = () => new Date().toISOString();
  const print = (line: WatchLine) => lines.put(async () => [line]);
  const failed = (error: unknown) => {
    if (signal.aborted) return;
    const known = errorOf(error);
    core.telemetry.emit('watch_failed', { error: String(error) });
    print({ event: 'failed', error: errorText(known), errorCode: known.code, at: now() });
  };

  const tagger = openTagger({ store, rules: () => readSettings(core.home.settings).tags, onError: failed });
  const onJudged = (photoIds: readonly string[]) => {
    digest.judged(photoIds);
    tagger.nudge();
    lines.put(async () => {
      const found: WatchLine[] = [];
      for (const id of photoIds) {
        const line = await photoLine(store, id);
        if (line) found.push(line);
      }
      return found;
    });
  };
  const onQuarantined: Parameters<typeof watchArrivals>[0]['onQuarantined'] = (files) => {
    digest.quarantined(files.length);
    for (const { path, reason } of files) {
      print({ event: 'quarantined', path, reason: quarantineText(reason), reasonCode: reason.code, at: now() });
    }
  };
  const lookThrough = async (path: string) => {
    const seen = new Set((await store.quarantine.list(path)).map((item) => item.path));
    const { quarantined } = await runScan(core, store, judging, {
      ...{ roots: [path], statements: await statements(path), signal, onJudged },
      recheck: { kind: 'none' },
      retryQuarantined: false,
    });
    onQuarantined(quarantined.filter((file) => !seen.has(file.path)));
  };

  const watch = watchArrivals({
    ...{ core, store, statements, signal, onJudged, onQuarantined },
    judging: async () => judging,
    reconcile: (root) => lookThrough(root.path),
    onGone: (gone) => {
      for (const path of gone) print({ event: 'gone', path, at: now() });
    },
    onState: (path, state) => print({ event: 'folder', path, state: state.mode, fix: watchFix(state), at: now() }),
    onFailed: failed,
  });
  const digest = openWorkDigest(watch.busy, calmMs, ({ photoIds, quarantined }) => {
    lines.put(async () => {
      const wantReview = await store.results.wantsReviewAmong(photoIds);
      return [{ event: 'done', photos: { judged: photoIds.length, quarantined, wantReview }, at: now() }];
    });
  });
  const nightly = keepNightly(
    store,
    async () => {
      for (const path of paths) await lookThrough(path);
    },
    failed,
  );

  const folders = await store.folders.list();
  await watch.follow(paths.map((path) => rootAt(path, folders)));
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  nightly.close();
  digest.close();
  await watch.close();
  await tagger.close();
  await lines.end();
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
