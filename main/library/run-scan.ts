/** One run over folder trees, from statements to a summary: what `scan` and the app's scan button do. */

import type { Degradation } from '../contract/degradation.ts';
import type { Label } from '../contract/labels.ts';
import { preprocessVersion } from '../images/preprocess-version.ts';
import type { EngineStats } from '../inference/core/engine-types.ts';
import type { LoadedInfo } from '../inference/protocol.ts';
import { toJudge } from '../judging/encoded.ts';
import type { Judging, JudgingCore } from '../judging/judging.ts';
import { operationFor } from '../judging/operation.ts';
import type { FileStat, Recheck, RunRecord, StatementRecord, Store, Want } from '../store/types.ts';
import { followPolicy, type PolicyRecord, policyStamp } from '../verdicts/local-policy.ts';
import { allHeld } from '../verdicts/rescore.ts';
import type { HeldInfo } from '../verdicts/rescore-protocol.ts';
import type { StatementCache } from '../verdicts/worker/hypotheses.ts';
import { notePresence, rootAt } from './folders.ts';
import { scan } from './scan.ts';
import type { Later, ScanOutcome, ScanProgress } from './scan-types.ts';

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

/** Of the statements' parts asked for in between; null for none. */
const hitRate = (before: StatementCache, after: StatementCache): number | null => {
  const hits = after.hits - before.hits;
  const all = hits + after.misses - before.misses;
  return all > 0 ? hits / all : null;
};

export const runScan = async (
  core: JudgingCore,
  store: Store,
  judging: Judging,
  request: RunScanRequest,
): Promise<ScanSummary> => {
  const startedAt = performance.now();
  const { rescorer } = judging;
  const policy = await followPolicy(store, judging);
  const cacheBefore = rescorer.statementCache();
  return rescorer.withStatements(request.statements, async (results) => {
    const statementHitRate = hitRate(cacheBefore, rescorer.statementCache());
    return scanWith(core, store, judging, request, allHeld(results), { policy, statementHitRate, startedAt });
  });
};

const scanWith = async (
  core: JudgingCore,
  store: Store,
  judging: Judging,
  request: RunScanRequest,
  ready: readonly HeldInfo[],
  {
    policy,
    statementHitRate,
    startedAt,
  }: Readonly<{
    policy: PolicyRecord;
    statementHitRate: number | null;
    startedAt: number;
  }>,
): Promise<ScanSummary> => {
  const began = Date.now();
  const { roots, arrived, statements, signal } = request;
  const folders = await store.folders.list();
  const { pack, rescorer, inputSize } = judging;
  const handles = ready.map(({ handle }) => handle);
  const fresh = ready.map(({ key, hypothesisHash }) => ({ statement: key, hypothesisHash }));
  const operation = operationFor(rescorer.pack, ready);
  const keys = statements.map(({ key }) => key);
  const want: Want = {
    verdicts: {
      packId: pack.manifest.id,
      packSha256: pack.sha256,
      adapterVersion: rescorer.pack.adapterVersion,
      statements: fresh,
    },
    evidence:
      rescorer.pack.kind === 'separable'
        ? { packSha256: pack.sha256, precision: wantedPrecision(request.recheck), inputSize, preprocessVersion }
        : null,
    recheck: request.recheck,
  };
  const run = await store.runs.begin(arrived ? 'watch' : 'scan', {
    roots: [...roots],
    pack: pack.manifest.id,
    statements: keys,
  });
  const { telemetry } = core;
  telemetry.emit('run_started', {
    ...{ run: run.id, kind: arrived ? 'watch' : 'scan', model: pack.manifest.id },
    statements: keys.length,
  });
  const ofPack = {
    run: run.key,
    packId: pack.manifest.id,
    packVersion: pack.manifest.version,
    packSha256: pack.sha256,
    adapterVersion: rescorer.pack.adapterVersion,
    policy: policyStamp(policy),
  };

  try {
    const outcome = await scan(
      {
        roots: roots.map((path) => rootAt(path, folders)),
        files: arrived?.files ?? null,
        ...{ want, judging: ofPack, preprocessVersion, operation },
        retryQuarantined: request.retryQuarantined,
      },
      {
        ...{ store, telemetry, signal },
        engine: judging.engine,
        judge: (photos) => rescorer.judge(photos.map(toJudge), handles),
        rescore: async (photos) => {
          if (!want.evidence) return;
          await rescorer.rescore(
            {
              home: core.home.root,
              wanted: { evidence: want.evidence, verdicts: want.verdicts, recheck: request.recheck, photos },
              statements: handles,
              otherwise: { precision: wantedPrecision(request.recheck) ?? 'fp32', device: 'cpu' },
            },
            {
              signal,
              store: ({ precision, device, verdicts }) =>
                store.verdicts.append({ ...ofPack, precision, device, degraded: false, at: Date.now() }, verdicts),
            },
          ).stored;
        },
        onProgress: (progress) => request.onProgress?.(progress),
        onJudged: (photoIds) => request.onJudged?.(photoIds),
        later: arrived?.later ?? (() => false),
        whileRunning: request.whileRunning ?? (() => Promise.resolve()),
      },
    );
    const { found, judged, cached, quarantined } = outcome.photos;
    await store.runs.finish(run.key, outcome.interrupted ? 'interrupted' : 'done', {
      found,
      judged,
      cached,
      quarantined,
    });
    if (!arrived) {
      for (const root of roots) await notePresence(store, await store.folders.upsert(root, { scannedAt: Date.now() }));
    }
    const verdicts = arrived ? none : await store.verdicts.countUnder(roots, keys);
    const engine = judging.startedEngine();
    // Of the photos that could be judged, those whose evidence or verdicts were there already.
    const evidenceHitRate = judged + cached > 0 ? cached / (judged + cached) : null;
    telemetry.emit('run_finished', {
      ...{ run: run.id, found, judged, cached, quarantined },
      ...{ evidenceHitRate, statementHitRate },
    });
    return {
      ...outcome,
      run,
      verdicts,
      seconds: (performance.now() - startedAt) / 1000,
      pairs: (judged + cached) * keys.length,
      engine: engine && judged > 0 ? { info: engine.info(), stats: engine.stats() } : null,
      degradation: degradationSince(began, engine?.stats()),
    };
  } catch (error) {
    await store.runs.finish(run.key, 'failed', {}).catch(() => undefined);
    telemetry.emit('run_failed', { run: run.id, error: String(error) });
    throw error;
  }
};

/** Another precision counts as cached unless the recheck asks for one. */
const wantedPrecision = (recheck: Recheck) => (recheck.kind === 'precision' ? recheck.precision : null);
