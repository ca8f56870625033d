/**
 * Worker thread that prepares statements and judges evidence, so that neither runs on the main thread. Started by
 * rescore.ts with a `RescoreSetup`; says `opened` or `not_opened` first.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parentPort, type TransferListItem, workerData } from 'node:worker_threads';
import { type VouchError, vouchError } from '../../contract/error.ts';
import type { Pack } from '../../contract/pack.ts';
import type { Adapter } from '../../contract/seam.ts';
import { openAdapter } from '../../packs/open-adapter.ts';
import { readPack } from '../../packs/packs.ts';
import type { LocalPolicy } from '../../policy/policy.ts';
import { type ColloquialTable, noColloquial, readColloquial } from '../../statements/colloquial.ts';
import { asWritten, hypothesisHash, normalise } from '../../statements/normalise.ts';
import { openTagger } from '../../statements/tagger.ts';
import { openEvidenceReader } from '../../store/sql/read-evidence.ts';
import type {
  EvidenceSearch,
  PrepareResult,
  RescoreProgress,
  RescoreQuery,
  RescoreReply,
  RescoreRequest,
  RescoreSetup,
  StatementToJudge,
} from '../rescore-protocol.ts';
import { buffersOf } from './columns.ts';
import { judgePhoto, type KnownStatement } from './judge-photo.ts';
import { createStatementJudge, type StatementJudge, statementCache } from './judge-statement.ts';
import { openRanker } from './rank-evidence.ts';
import { openScorer } from './rescore-evidence.ts';

/** Rows of one message, and rows that may be on their way to the store before judging waits for it. */
const rowsPerMessage = 10_000;
const rowsAhead = 200_000;
/** A search goes on for so long at a time; it looks at the clock once for so many photos. */
const turnMs = 50;
const photosPerLook = 64;

type Worker = Readonly<{
  setup: RescoreSetup;
  pack: Pack;
  adapter: Adapter;
  judge: StatementJudge;
  policy: LocalPolicy;
  table: ColloquialTable;
}>;
type Running = { stored: number; cancelled: boolean; wake: () => void };

const port = parentPort;
if (!port) throw new Error('the re-score worker must be started by the core');
const reply = (message: RescoreReply, transfer: readonly ArrayBuffer[] = []) =>
  port.postMessage(message, transfer as readonly TransferListItem[]);

const statements = new Map<number, KnownStatement & Readonly<{ asked: StatementToJudge }>>();
const running = new Map<number, Running>();

const readTable = ({ builtin, user }: RescoreSetup['colloquial']): ColloquialTable | VouchError => {
  let table = noColloquial;
  for (const file of [builtin, user]) {
    if (file === null || !existsSync(file)) continue;
    const read = readColloquial(readFileSync(file, 'utf8'), file, table);
    if (!read.ok) return read.error;
    table = read.value;
  }
  return table;
};

const open = (setup: RescoreSetup): Worker | VouchError => {
  const table = readTable(setup.colloquial);
  if ('code' in table) return table;
  try {
    const pack = readPack(setup.packDir);
    // Statements and evidence only: the input size bears on photos, and none is encoded here.
    const adapter = openAdapter(pack, openTagger(), pack.manifest.inputs[0]!.size);
    // An adapter may read its word lists only now: a broken pack is told here, and no statement waits for them later.
    if (adapter.kind === 'separable') adapter.encodeStatement('a photo');
    return underPolicy({ setup, pack, adapter, table }, setup.policy ?? { riskControl: null, calibrations: null });
  } catch (error) {
    return vouchError('pack_broken', { pack: setup.packDir, detail: messageOf(error) });
  }
};

const underPolicy = (opened: Omit<Worker, 'judge' | 'policy'>, policy: LocalPolicy): Worker => {
  const { adapter, pack } = opened;
  const { languages, thresholds } = pack.manifest;
  const riskControl = policy.riskControl ?? undefined;
  const judge = createStatementJudge(adapter, { sha256: pack.sha256, languages, thresholds, riskControl });
  return { ...opened, judge, policy };
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const prepareOne = (worker: Worker, asked: StatementToJudge): PrepareResult => {
  const { key, text, yes, no, flag } = asked;
  const { adapter, pack, setup, table, judge, policy } = worker;
  const limit = { countTokens: adapter.countTokens, maxTokens: pack.manifest.maxTokens };
  const result = setup.normalise ? normalise(text, { ...limit, colloquial: table }) : asWritten(text, limit);
  if (!result.ok) {
    statements.delete(key);
    return result;
  }
  const normalised = result.value;
  const calibration = policy.calibrations?.statements[key] ?? policy.calibrations?.pack;
  const prepared = judge.prepare(normalised, { thresholds: { yes, no }, calibration, flag });
  const hash = hypothesisHash(normalised);
  statements.set(key, { key, hypothesisHash: hash, prepared, asked });
  const { languageSupported, thresholds, parts, notChecked, looksFor } = prepared;
  return {
    ok: true,
    value: { key, normalised, hypothesisHash: hash, languageSupported, thresholds, parts, notChecked, looksFor },
  };
};

const knownStatement = (key: number): KnownStatement => {
  const known = statements.get(key);
  if (!known) throw new Error(`statement ${key} was not prepared`);
  return known;
};

const rescore = async ({ adapter, judge }: Worker, id: number, query: RescoreQuery): Promise<void> => {
  if (adapter.kind !== 'separable') throw new Error('a joint pack keeps no evidence');
  const { home, wanted, otherwise } = query;
  const pageSize = Math.max(1, Math.ceil(rowsPerMessage / Math.max(1, wanted.verdicts.statements.length)));
  const toScore = wanted.verdicts.statements.map(({ statement }) => knownStatement(statement));
  const scorer = openScorer(adapter, judge, toScore, otherwise, pageSize);
  const reader = openEvidenceReader(home);
  const run: Running = { stored: 0, cancelled: false, wake: () => undefined };
  running.set(id, run);
  let sent = 0;
  let photos = 0;
  const progress = (): RescoreProgress => ({ photos, counts: scorer.counts() });
  try {
    for (const page of reader.pages(wanted, pageSize)) {
      const groups = scorer.judgePage(page);
      photos += page.length;
      for (const rows of groups) {
        sent += rows.verdicts.reduce((sum, { photos: keys }) => sum + keys.length, 0);
        reply({ kind: 'rows', id, rows, progress: progress() }, rows.verdicts.flatMap(buffersOf));
      }
      await new Promise<void>((resolve) => setImmediate(resolve));
      while (sent - run.stored > rowsAhead && !run.cancelled) {
        await new Promise<void>((resolve) => {
          run.wake = resolve;
        });
      }
      if (run.cancelled) break;
    }
    reply({ kind: 'rescored', id, progress: progress(), cancelled: run.cancelled });
  } finally {
    reader.close();
    running.delete(id);
  }
};

/** Looks at all evidence, in turns with what else is asked. A search that was cancelled finds what it had seen. */
const search = async ({ adapter }: Worker, id: number, asked: EvidenceSearch): Promise<void> => {
  if (adapter.kind !== 'separable') throw new Error('a joint pack keeps no evidence');
  const { hypotheses } = knownStatement(asked.statement).prepared;
  const reader = openEvidenceReader(asked.home);
  const run: Running = { stored: 0, cancelled: false, wake: () => undefined };
  running.set(id, run);
  try {
    const total = reader.judgeable();
    const ranker = openRanker(adapter, hypotheses, asked.least);
    let turnEnds = performance.now() + turnMs;
    for (const { photo, blob } of reader.all(asked.evidence)) {
      ranker.look(photo, blob);
      if (ranker.looked() % photosPerLook > 0 || performance.now() < turnEnds) continue;
      reply({ kind: 'searching', id, progress: { done: ranker.looked(), total } });
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (run.cancelled) break;
      turnEnds = performance.now() + turnMs;
    }
    const found = { ...ranker.take(), searched: ranker.looked(), unjudged: Math.max(0, total - ranker.looked()) };
    reply({ kind: 'found', id, found }, [found.photos.buffer, found.scores.buffer]);
  } finally {
    reader.close();
    running.delete(id);
  }
};

const handle = async (worker: Worker, request: RescoreRequest): Promise<void> => {
  switch (request.kind) {
    case 'prepare': {
      const prepared = request.statements.map((statement) => prepareOne(worker, statement));
      return reply({ kind: 'prepared', id: request.id, statements: prepared, cache: statementCache() });
    }
    case 'judge': {
      const { photos, statements: keys, explain } = request;
      const asked = keys.map(knownStatement);
      const rows = photos.map((photo) => judgePhoto(worker.adapter, worker.judge, photo, asked, explain));
      return reply({ kind: 'judged', id: request.id, rows });
    }
    case 'policy': {
      opened = underPolicy(worker, request.policy);
      for (const { asked } of [...statements.values()]) prepareOne(opened, asked);
      return;
    }
    case 'search':
      return search(worker, request.id, request.search);
    case 'rescore':
      return rescore(worker, request.id, request.query);
    case 'stored': {
      const run = running.get(request.id);
      if (run) run.stored += request.rows;
      return run?.wake();
    }
    case 'cancel': {
      const run = running.get(request.id);
      if (run) run.cancelled = true;
      return run?.wake();
    }
  }
};

const first = open(workerData as RescoreSetup);
/** Another object after each change of policy. */
let opened: Worker;
if ('code' in first) {
  reply({ kind: 'not_opened', error: first });
  port.close();
} else {
  opened = first;
  const { adapter, pack } = first;
  port.on('message', (request: RescoreRequest) => {
    handle(opened, request).catch((error) => reply({ kind: 'failed', id: request.id, detail: messageOf(error) }));
  });
  const { id, version } = pack.manifest;
  reply({
    kind: 'opened',
    pack: { kind: adapter.kind, id, version, sha256: pack.sha256, adapterVersion: adapter.version },
  });
}
