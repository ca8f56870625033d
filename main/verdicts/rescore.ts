/** The core's end of the re-score worker: prepares statements, judges photos, re-scores cached evidence. */
import { Worker } from 'node:worker_threads';
import { type VouchError, vouchError } from '../contract/error.ts';
import type { Result } from '../contract/result.ts';
import { VouchFailure } from '../failure.ts';
import type { LocalPolicy } from '../policy/policy.ts';
import type {
  EvidenceHits,
  EvidenceSearch,
  HeldInfo,
  JudgedRow,
  OpenedPack,
  PhotoToJudge,
  PrepareResult,
  ReadResult,
  RescoredRows,
  RescoreProgress,
  RescoreQuery,
  RescoreReply,
  RescoreRequest,
  RescoreSetup,
  SearchProgress,
  StatementHandle,
  StatementToJudge,
} from './rescore-protocol.ts';
import type { StatementCache } from './worker/hypotheses.ts';

type RescoreOutcome = RescoreProgress & Readonly<{ cancelled: boolean }>;

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
  /** Has statements held ready in the worker until `use` has settled. One result for each, in order. */
  withStatements: <T>(
    statements: readonly StatementToJudge[],
    use: (held: readonly PrepareResult[]) => Promise<T>,
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
   * have been stored too; an abort ends both early, with what was done until then.
   */
  rescore: (
    query: RescoreQuery,
    ports: RescorePorts,
  ) => Readonly<{ counted: Promise<RescoreOutcome>; stored: Promise<RescoreOutcome> }>;
  close: () => Promise<void>;
}>;

type Reply<K extends RescoreReply['kind']> = Extract<RescoreReply, { kind: K }>;
type Answer = Reply<'read' | 'prepared' | 'judged' | 'searching' | 'found' | 'rows' | 'rescored'>;
type Pending = Readonly<{ answer: (reply: Answer) => void; fail: (error: Error) => void }>;
type WithoutId<T> = T extends { id: number } ? Omit<T, 'id'> : never;

/** @throws VouchFailure where nothing is left of one of the statements. */
export const allHeld = (results: readonly PrepareResult[]): readonly HeldInfo[] =>
  results.map((result) => {
    if (!result.ok) throw new VouchFailure(result.error);
    return result.value;
  });

/** `workerUrl`: main/judging/worker/rescore-worker.ts, or what it was built to. */
export const openRescorer = (workerUrl: URL, setup: RescoreSetup): Promise<Result<Rescorer, VouchError>> =>
  new Promise((resolve) => {
    const worker = new Worker(workerUrl, { workerData: setup });
    const pending = new Map<number, Pending>();
    let lastId = 0;
    let lastCache: StatementCache = { hits: 0, misses: 0 };
    let ended: Error | undefined;

    const end = (error: Error) => {
      ended ??= error;
      for (const { fail } of pending.values()) fail(ended);
      pending.clear();
      resolve({ ok: false, error: vouchError('unexpected', { detail: ended.message }) });
    };
    worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => end(new Error('the re-score worker has ended')));
    worker.on('message', (reply: RescoreReply) => {
      switch (reply.kind) {
        case 'opened':
          return resolve({ ok: true, value: rescorer(reply.pack) });
        case 'not_opened':
          return resolve({ ok: false, error: reply.error });
        case 'failed':
          pending.get(reply.id)?.fail(reply.error ? new VouchFailure(reply.error) : new Error(reply.detail));
          pending.delete(reply.id);
          return;
        default:
          pending.get(reply.id)?.answer(reply);
      }
    });

    const post = (request: RescoreRequest) => worker.postMessage(request);
    const ask = (request: WithoutId<RescoreRequest>, handle: Pending): number => {
      lastId += 1;
      if (ended) handle.fail(ended);
      else {
        pending.set(lastId, handle);
        post({ ...request, id: lastId } as RescoreRequest);
      }
      return lastId;
    };
    const once = <K extends 'read' | 'prepared' | 'judged'>(request: WithoutId<RescoreRequest>): Promise<Reply<K>> =>
      new Promise((answered, failed) => {
        const id = ask(request, {
          answer: (reply) => {
            pending.delete(id);
            answered(reply as Reply<K>);
          },
          fail: failed,
        });
      });

    const rescorer = (pack: OpenedPack): Rescorer => ({
      pack,
      read: async (asked) => {
        const { statements, cache } = await once<'read'>({ kind: 'read', statements: asked });
        lastCache = cache;
        return statements;
      },
      withStatements: async (asked, use) => {
        const { statements, cache } = await once<'prepared'>({ kind: 'prepare', statements: asked });
        lastCache = cache;
        try {
          return await use(statements);
        } finally {
          const held = statements.flatMap((result) => (result.ok ? [result.value.handle] : []));
          post({ kind: 'release', id: 0, statements: held });
        }
      },
      statementCache: () => lastCache,
      judge: async (photos, statements, explain = false) =>
        (await once<'judged'>({ kind: 'judge', photos, statements, explain })).rows,
      usePolicy: ({ riskControl, calibrations }) =>
        post({ kind: 'policy', id: 0, policy: { riskControl, calibrations } }),
      search: (search, { onProgress, signal } = {}) => {
        let id = 0;
        const cancel = () => post({ kind: 'cancel', id });
        return new Promise<EvidenceHits>((done, failed) => {
          if (signal?.aborted) return failed(signal.reason);
          id = ask(
            { kind: 'search', search },
            {
              answer: (reply) => {
                if (reply.kind === 'searching') onProgress?.(reply.progress);
                if (reply.kind !== 'found') return;
                pending.delete(id);
                if (signal?.aborted) failed(signal.reason);
                else done(reply.found);
              },
              fail: failed,
            },
          );
          signal?.addEventListener('abort', cancel, { once: true });
        }).finally(() => signal?.removeEventListener('abort', cancel));
      },
      rescore(query, { store, onProgress, signal }) {
        const storing = new Set<Promise<void>>();
        let storeError: unknown;
        let id = 0;
        const cancel = () => post({ kind: 'cancel', id });
        const keep = (rows: RescoredRows) => {
          const size = rows.verdicts.reduce((sum, { photos }) => sum + photos.length, 0);
          const kept = store(rows).then(
            () => post({ kind: 'stored', id, rows: size }),
            (error) => {
              storeError ??= error;
              cancel();
            },
          );
          storing.add(kept);
          kept.finally(() => storing.delete(kept));
        };

        const counted = new Promise<RescoreOutcome>((done, failed) => {
          id = ask(
            { kind: 'rescore', query },
            {
              answer: (reply) => {
                if (reply.kind === 'rows') {
                  if (storeError === undefined && !signal?.aborted) keep(reply.rows);
                  onProgress?.(reply.progress);
                } else if (reply.kind === 'rescored') {
                  pending.delete(id);
                  done({ ...reply.progress, cancelled: reply.cancelled });
                }
              },
              fail: failed,
            },
          );
          if (signal?.aborted) cancel();
          signal?.addEventListener('abort', cancel, { once: true });
        }).finally(() => signal?.removeEventListener('abort', cancel));

        const stored = counted.then(async (outcome) => {
          await Promise.all(storing);
          if (storeError !== undefined) throw storeError;
          return outcome;
        });
        // Whoever waits for one of the two hears of a failure; the other must not count as unhandled.
        counted.catch(() => undefined);
        stored.catch(() => undefined);
        return { counted, stored };
      },
      close: async () => {
        await worker.terminate();
      },
    });
  });
