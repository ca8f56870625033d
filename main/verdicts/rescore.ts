/** The core's end of the re-score worker: prepares statements, judges photos, re-scores cached evidence. */
import { Worker } from 'node:worker_threads';
import type { VouchError } from '../contract/errors.ts';
import type { Result } from '../contract/result.ts';
import { errorOf, VouchFailure } from '../failure.ts';
import { type Asker, askThread } from '../hosts/rpc.ts';
import type { LocalPolicy } from '../policy/policy.ts';
import type { NewHypothesis } from '../store/types.ts';
import type {
  EvidenceHits,
  EvidenceSearch,
  HeldInfo,
  JudgedRow,
  OpenedPack,
  PhotoToJudge,
  PrepareResult,
  ReadResult,
  RescoreCalls,
  RescoredRows,
  RescoreFault,
  RescoreOutcome,
  RescoreProgress,
  RescoreQuery,
  RescoreSetup,
  SearchProgress,
  StatementHandle,
  StatementToJudge,
} from './rescore-protocol.ts';
import type { StatementCache } from './worker/hypotheses.ts';

type RescorePorts = Readonly<{
  /** Stores rows; the next ones come while it works. When it fails, the rescore ends and rejects with its error. */
  store: (rows: RescoredRows) => Promise<unknown>;
  /** Counts as they grow, about ten thousand pairs at a time. */
  onProgress?: (progress: RescoreProgress) => void;
  signal?: AbortSignal;
}>;

export type SearchPorts = Readonly<{ onProgress?: (progress: SearchProgress) => void; signal?: AbortSignal }>;

export type Rescorer = Readonly<{
  pack: OpenedPack;
  /** What the pack makes of statements, one result for each, in order. */
  read: (statements: readonly StatementToJudge[]) => Promise<readonly ReadResult[]>;
  /**
   * Has statements held ready in the worker until `use` has settled. One result for each, in order. `keep` stores what
   * graphs made of them and what is not stored yet.
   */
  withStatements: <T>(
    statements: readonly StatementToJudge[],
    use: (held: readonly PrepareResult[]) => Promise<T>,
    keep?: (made: readonly NewHypothesis[]) => Promise<void>,
  ) => Promise<T>;
  /** Of the parts of statements, since it was opened, as of those that were last read. */
  statementCache: () => StatementCache;
  /** For each photo one row for each statement, all of them held. `explain`: say why, where the pack can tell. */
  judge: (
    photos: readonly PhotoToJudge[],
    statements: readonly StatementHandle[],
    explain?: boolean,
  ) => Promise<readonly (readonly JudgedRow[])[]>;
  /** Statements are decided under this policy from now on, those held ready too. */
  usePolicy: (policy: LocalPolicy) => void;
  /** The photos whose cached evidence fits a statement that is held. Rejects with the signal's reason once it aborts. */
  search: (search: EvidenceSearch, ports?: SearchPorts) => Promise<EvidenceHits>;
  /**
   * Judges cached evidence with statements that are held. `counted` resolves when all is judged, `stored` when all rows
   * have been stored too; an abort ends both early, with what was done until then. Storing that fails ends both with
   * its error.
   */
  rescore: (
    query: RescoreQuery,
    ports: RescorePorts,
  ) => Readonly<{ counted: Promise<RescoreOutcome>; stored: Promise<RescoreOutcome> }>;
  close: () => Promise<void>;
}>;

/** @throws VouchFailure where nothing is left of one of the statements. */
export const allHeld = (results: readonly PrepareResult[]): readonly HeldInfo[] =>
  results.map((result) => {
    if (!result.ok) throw new VouchFailure(result.error);
    return result.value;
  });

const toError = ({ detail, error }: RescoreFault): Error => (error ? new VouchFailure(error) : new Error(detail));
const lost = (thrown: unknown = new Error('the re-score worker has ended')): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** `workerUrl`: main/judging/worker/rescore-worker.ts, or what it was built to. */
export const openRescorer = async (workerUrl: URL, setup: RescoreSetup): Promise<Result<Rescorer, VouchError>> => {
  const worker = new Worker(workerUrl);
  const ask = askThread<RescoreCalls, RescoreFault>(worker, { toError, lost });
  const close = async (): Promise<void> => void (await worker.terminate());
  try {
    return { ok: true, value: rescorer(await ask('open', setup), ask, close) };
  } catch (thrown) {
    await close();
    return { ok: false, error: errorOf(thrown) };
  }
};

type Ask = Asker<RescoreCalls>['ask'];

const rescorer = (pack: OpenedPack, ask: Ask, close: () => Promise<void>): Rescorer => {
  let lastCache: StatementCache = { hits: 0, misses: 0 };
  /** What needs no answer. A worker that has gone tells so to whoever asks next. */
  const tell = (asked: Promise<void>): void => void asked.catch(() => undefined);
  return {
    pack,
    read: async (asked) => {
      const { statements, cache } = await ask('read', asked);
      lastCache = cache;
      return statements;
    },
    withStatements: async (asked, use, keep) => {
      const { statements, cache, toKeep } = await ask('prepare', { statements: asked, keep: keep !== undefined });
      lastCache = cache;
      try {
        if (toKeep.length > 0) await keep?.(toKeep);
        return await use(statements);
      } finally {
        tell(
          ask(
            'release',
            statements.flatMap((result) => (result.ok ? [result.value.handle] : [])),
          ),
        );
      }
    },
    statementCache: () => lastCache,
    judge: (photos, statements, explain = false) => ask('judge', { photos, statements, explain }),
    usePolicy: ({ riskControl, calibrations }) => tell(ask('policy', { riskControl, calibrations })),
    search: async (search, { onProgress, signal } = {}) => {
      signal?.throwIfAborted();
      const found = await ask('search', search, { signal, onTold: onProgress });
      signal?.throwIfAborted();
      return found;
    },
    rescore(query, { store, onProgress, signal }) {
      const storing = new Set<Promise<unknown>>();
      let isBroken = false;
      const counted = ask('rescore', query, {
        signal,
        onTold: ({ rows, progress }) => {
          onProgress?.(progress);
          if (isBroken || signal?.aborted) return;
          const kept = store(rows);
          storing.add(kept);
          kept.then(
            () => storing.delete(kept),
            () => {
              isBroken = true;
            },
          );
          return kept;
        },
      });
      const stored = counted.then(async (outcome) => {
        await Promise.all(storing);
        return outcome;
      });
      // Whoever waits for one of the two hears of a failure; the other must not count as unhandled.
      counted.catch(() => undefined);
      stored.catch(() => undefined);
      return { counted, stored };
    },
    close,
  };
};
