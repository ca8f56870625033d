/** A run as the store keeps it and the telemetry tells of it: begun once, ended once, however many scans it took. */
import type { JudgingCore } from '../judging/judging.ts';
import type { RunRecord, RunState, Store } from '../store/types.ts';
import type { ScanOutcome } from './scan-types.ts';

type RunBeginning = Readonly<{
  kind: 'scan' | 'watch';
  roots: readonly string[];
  /** Id of the pack that judges. */
  model: string;
  /** How many statements there are to judge on. */
  statements: number;
  /** The id that the run goes by elsewhere already; a new one where it is left out. */
  id?: string;
}>;

/** What the scans of a run came to, summed up. */
export type RunTotals = Readonly<{
  photos: Omit<ScanOutcome['photos'], 'ignored'>;
  /** How often a part of a statement was found made ready, and how often not. */
  statementCache: Readonly<{ hits: number; misses: number }>;
}>;

export const nothingRun: RunTotals = {
  photos: { found: 0, judged: 0, cached: 0, quarantined: 0 },
  statementCache: { hits: 0, misses: 0 },
};

export const beginRun = async (
  { telemetry }: Pick<JudgingCore, 'telemetry'>,
  store: Store,
  { kind, roots, model, statements, id }: RunBeginning,
): Promise<RunRecord> => {
  const run = await store.runs.begin(kind, { roots: [...roots], pack: model }, id);
  telemetry.emit('run_started', { run: run.id, kind, model, statements });
  return run;
};

const shareOf = (part: number, all: number): number | null => (all > 0 ? part / all : null);

export const endRun = async (
  { telemetry }: Pick<JudgingCore, 'telemetry'>,
  store: Store,
  run: RunRecord,
  state: Exclude<RunState, 'running' | 'failed'>,
  { photos, statementCache }: RunTotals,
): Promise<void> => {
  const { found, judged, cached, quarantined } = photos;
  await store.runs.finish(run.key, state, { found, judged, cached, quarantined });
  telemetry.emit('run_finished', {
    ...{ run: run.id, found, judged, cached, quarantined },
    // Of the photos that could be judged, those whose evidence or verdicts were there already.
    evidenceHitRate: shareOf(cached, judged + cached),
    statementHitRate: shareOf(statementCache.hits, statementCache.hits + statementCache.misses),
  });
};

/** What could not be stored of the failure itself is not told: the error that ended the run is. */
export const failRun = async (
  { telemetry }: Pick<JudgingCore, 'telemetry'>,
  store: Store,
  run: RunRecord,
  error: unknown,
): Promise<void> => {
  await store.runs.finish(run.key, 'failed', {}).catch(() => undefined);
  telemetry.emit('run_failed', { run: run.id, error: String(error) });
};
