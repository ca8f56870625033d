/** One run over folder trees, from statements to a summary: what `scan` and the app's scan button do. */

import type { Degradation } from '../contract/degradation.ts';
import type { Label } from '../contract/labels.ts';
import { preprocessVersion } from '../images/preprocess-version.ts';
import type { EngineStats } from '../inference/core/engine-types.ts';
import type { LoadedInfo } from '../inference/protocol.ts';
import { toJudge } from '../judging/encoded.ts';
import type { Judging, JudgingCore } from '../judging/judging.ts';
import { questionsFor } from '../judging/operation.ts';
import type { FileStat, NewVerdict, Recheck, RunRecord, StatementRecord, Store, Want } from '../store/types.ts';
import { keepHypotheses } from '../verdicts/keep-hypotheses.ts';
import { followPolicy, type PolicyRecord, policyStamp } from '../verdicts/local-policy.ts';
import { allHeld, type Rescorer } from '../verdicts/rescore.ts';
import type { HeldInfo, PrepareResult } from '../verdicts/rescore-protocol.ts';
import { notePresence, rootAt } from './folders.ts';
import { beginRun, endRun, failRun, type RunTotals } from './run-record.ts';
import { scan } from './scan.ts';
import type { AskedPhoto, Later, ScanOutcome, ScanPlan, ScanProgress } from './scan-types.ts';

export type RunScanRequest = Readonly<{
  roots: readonly string[];
  /** Judges only these files below the roots, as they arrived; without them everything below the roots. */
  arrived?: Readonly<{ files: readonly FileStat[]; later: Later }>;
  statements: readonly StatementRecord[];
  recheck: Recheck;
  retryQuarantined: boolean;
  signal: AbortSignal;
  whileRunning?: () => Promise<void>;
  onProgress?: (progress: ScanProgress) => void;
  /** Ids of photos that have new verdicts, or lie at a new place. */
  onJudged?: (photoIds: readonly string[]) => void;
}>;

export type ScanSummary = ScanOutcome &
  Readonly<{
    run: RunRecord;
    statementCache: RunTotals['statementCache'];
    /** Effective labels of the scanned photos on these statements; not counted for arrived files. */
    verdicts: Readonly<Record<Label, number>>;
    seconds: number;
    pairs: number;
    /** null where no inference was needed. */
    engine: Readonly<{ info: LoadedInfo; stats: EngineStats }> | null;
    /** Rungs of the ladder that the engine stood on meanwhile, in the order it stepped on them. */
    degradation: readonly (Degradation & Readonly<{ until: number | null }>)[];
  }>;

const degradationSince = (at: number, stats: EngineStats | undefined): ScanSummary['degradation'] =>
  [
    ...(stats?.pastDegradation ?? []).filter(({ until }) => until >= at),
    ...(stats?.degradation ?? []).map((rung) => ({ ...rung, until: null })),
  ].toSorted((a, b) => a.since - b.since);

const none: Readonly<Record<Label, number>> = { yes: 0, no: 0, maybe: 0 };

/** A scan that is a run of its own. */
export const runScan = async (
  core: JudgingCore,
  store: Store,
  judging: Judging,
  request: RunScanRequest,
): Promise<ScanSummary> => {
  const kind = request.arrived ? 'watch' : 'scan';
  const { roots, statements } = request;
  const model = judging.pack.manifest.id;
  const run = await beginRun(core, store, { kind, roots, model, statements: statements.length });
  try {
    const summary = await scanInRun(core, store, judging, run, request);
    await endRun(core, store, run, summary.interrupted ? 'interrupted' : 'done', summary);
    return summary;
  } catch (error) {
    await failRun(core, store, run, error);
    throw error;
  }
};

/** One scan of a run that is under way. */
export const scanInRun = async (
  core: JudgingCore,
  store: Store,
  judging: Judging,
  run: RunRecord,
  request: RunScanRequest,
): Promise<ScanSummary> => {
  const startedAt = performance.now();
  const began = Date.now();
  const { arrived, statements } = request;
  const policy = await followPolicy(store, judging);
  const { rescorer } = judging;
  const before = rescorer.statementCache();
  const scanHeld = async (results: readonly PrepareResult[]) => {
    const { hits, misses } = rescorer.statementCache();
    return {
      outcome: await scanStatements(core, store, judging, run, request, allHeld(results), policy),
      cache: { hits: hits - before.hits, misses: misses - before.misses },
    };
  };
  const { outcome, cache } = await rescorer.withStatements(statements, scanHeld, keepHypotheses(store, rescorer));
  if (!arrived) {
    for (const root of request.roots) {
      await notePresence(store, await store.folders.upsert(root, { scannedAt: Date.now() }));
    }
  }
  const keys = statements.map(({ key }) => key);
  const { judged, cached } = outcome.photos;
  const engine = judging.startedEngine();
  return {
    ...outcome,
    run,
    verdicts: arrived ? none : await store.verdicts.countUnder(request.roots, keys),
    statementCache: cache,
    seconds: (performance.now() - startedAt) / 1000,
    pairs: (judged + cached) * keys.length,
    engine: engine && judged > 0 ? { info: engine.info(), stats: engine.stats() } : null,
    degradation: degradationSince(began, engine?.stats()),
  };
};

const scanStatements = async (
  core: JudgingCore,
  store: Store,
  judging: Judging,
  run: RunRecord,
  { roots, arrived, signal, ...request }: RunScanRequest,
  ready: readonly HeldInfo[],
  policy: PolicyRecord,
): Promise<ScanOutcome> => {
  const folders = await store.folders.list();
  const { rescorer } = judging;
  const handles = ready.map(({ handle }) => handle);
  const want = wantOf(judging, ready, request.recheck);
  const ofPack = judgedBy(judging, run, policy);
  return scan(
    {
      roots: roots.map((path) => rootAt(path, folders)),
      files: arrived?.files ?? null,
      ...{ want, judging: ofPack, preprocessVersion, questionOf: questionsFor(rescorer.pack, ready) },
      retryQuarantined: request.retryQuarantined,
    },
    {
      ...{ store, signal, telemetry: core.telemetry },
      engine: judging.engine,
      judge: (photos) => judgeAsked(rescorer, photos, ready),
      rescore: (photos) => rescoreStored(core, store, rescorer, { want, handles, ofPack, photos, signal }),
      onProgress: (progress) => request.onProgress?.(progress),
      onJudged: (photoIds) => request.onJudged?.(photoIds),
      later: arrived?.later ?? (() => false),
      whileRunning: request.whileRunning ?? (() => Promise.resolve()),
    },
  );
};

/** In one go for all photos that were asked about the same statements. */
const judgeAsked = async (
  rescorer: Rescorer,
  photos: readonly AskedPhoto[],
  held: readonly HeldInfo[],
): Promise<readonly (readonly NewVerdict[])[]> => {
  const handleOf = new Map(held.map(({ key, handle }) => [key, handle]));
  const groups = Map.groupBy(photos, ({ statements }) => statements.join());
  const judged = await Promise.all(
    [...groups.values()].map(async (group) => {
      const rows = await rescorer.judge(
        group.map(({ outcome }) => toJudge(outcome)),
        group[0]!.statements.map((key) => handleOf.get(key)!),
      );
      return group.map((photo, i) => [photo, rows[i]!] as const);
    }),
  );
  const rowsOf = new Map(judged.flat());
  return photos.map((photo) => rowsOf.get(photo)!);
};

/** Which verdicts and which evidence count as there already. */
const wantOf = ({ pack, rescorer, inputSize }: Judging, ready: readonly HeldInfo[], recheck: Recheck): Want => ({
  verdicts: {
    packId: pack.manifest.id,
    packSha256: pack.sha256,
    adapterVersion: rescorer.pack.adapterVersion,
    statements: ready.map(({ key, hypothesisHash }) => ({ statement: key, hypothesisHash })),
  },
  evidence:
    rescorer.pack.kind === 'separable'
      ? { packSha256: pack.sha256, precision: wantedPrecision(recheck), inputSize, preprocessVersion }
      : null,
  recheck,
});

const judgedBy = ({ pack, rescorer }: Judging, run: RunRecord, policy: PolicyRecord): ScanPlan['judging'] => ({
  run: run.key,
  packId: pack.manifest.id,
  packVersion: pack.manifest.version,
  packSha256: pack.sha256,
  adapterVersion: rescorer.pack.adapterVersion,
  policy: policyStamp(policy),
});

type Rescoring = Readonly<{
  want: Want;
  handles: readonly HeldInfo['handle'][];
  ofPack: ScanPlan['judging'];
  photos: Uint32Array;
  signal: AbortSignal;
}>;

/** Judges what needs no model: the evidence is stored, or the photo flat, or its statement in a language that the pack lacks. */
const rescoreStored = async (
  { home }: JudgingCore,
  store: Store,
  rescorer: Judging['rescorer'],
  { want: { evidence, verdicts, recheck }, handles, ofPack, photos, signal }: Rescoring,
): Promise<void> => {
  await rescorer.rescore(
    {
      home: home.root,
      wanted: { evidence, verdicts, recheck, photos },
      statements: handles,
      otherwise: { precision: wantedPrecision(recheck) ?? 'fp32', device: 'cpu' },
    },
    {
      signal,
      store: (judged) => {
        const { precision, device } = judged;
        const made = { ...ofPack, precision, device, degraded: false, at: Date.now() };
        return store.verdicts.append(made, judged.verdicts);
      },
    },
  ).stored;
};

/** Another precision counts as cached unless the recheck asks for one. */
const wantedPrecision = (recheck: Recheck) => (recheck.kind === 'precision' ? recheck.precision : null);
