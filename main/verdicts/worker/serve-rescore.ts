/**
 * Prepares statements and judges evidence in a worker thread, so that neither runs on the main thread. The worker's
 * entry brings what runs the graphs that statements go through.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type VouchError, vouchError } from '../../contract/errors.ts';
import type { Pack } from '../../contract/pack.ts';
import type { Adapter, AnySeparableAdapter, RunGraph } from '../../contract/seam.ts';
import { VouchFailure } from '../../failure.ts';
import { type AnswerPort, answerCalls, type Handlers } from '../../hosts/rpc.ts';
import { openAdapter } from '../../packs/open-adapter.ts';
import { readPack } from '../../packs/packs.ts';
import type { LocalPolicy } from '../../policy/policy.ts';
import { type ColloquialTable, noColloquial, readColloquial } from '../../statements/colloquial.ts';
import { readHypotheses } from '../../store/sql/hypotheses.ts';
import type { OpenedPack, RescoreCalls, RescoreFault, RescoreSetup, StatementToJudge } from '../rescore-protocol.ts';
import { holdStatements } from './held-statements.ts';
import { openHypotheses } from './hypotheses.ts';
import { judgePhoto } from './judge-photo.ts';
import { infoOf, prepareStatements, rulingOf, type StatementReader, settled } from './prepare-statements.ts';
import { runRescore } from './run-rescore.ts';
import { runSearch } from './run-search.ts';

/** What the worker's entry brings. `openTextGraphs` opens nothing before a graph is run, and throws what a person can read. */
export type WorkerPorts = Readonly<{
  port: AnswerPort;
  openTextGraphs: (pack: Pack, graphs: readonly string[], graphCache: string | null) => RunGraph;
}>;

const noPolicy: LocalPolicy = { riskControl: null, calibrations: null };

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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const noGraph: RunGraph = (graph) => Promise.reject(new Error(`the pack has no text graph ${graph}`));

const openReader = async (
  setup: RescoreSetup,
  openTextGraphs: WorkerPorts['openTextGraphs'],
): Promise<StatementReader | VouchError> => {
  const table = readTable(setup.colloquial);
  if ('code' in table) return table;
  try {
    const pack = readPack(setup.packDir);
    // Statements and evidence only: the input size bears on photos, and none is encoded here.
    const adapter = await openAdapter(pack, pack.manifest.inputs[0]!.size);
    const reader = { pack, adapter, table, normalise: setup.normalise };
    if (adapter.kind === 'joint') return { ...reader, hypotheses: null };
    const graphs = adapter.textGraphs;
    const key = { packSha256: pack.sha256, adapterVersion: adapter.version };
    const stored = (parts: readonly string[]) => readHypotheses(setup.home, key, parts);
    if (graphs.length > 0) {
      const run = openTextGraphs(pack, graphs, setup.graphCache);
      return { ...reader, hypotheses: openHypotheses(adapter, run, stored) };
    }
    // An adapter may read its word lists only now: a broken pack is told here, and no statement waits for them later.
    await adapter.encodeStatements(['a photo'], noGraph);
    return { ...reader, hypotheses: openHypotheses(adapter, noGraph, stored) };
  } catch (error) {
    return vouchError('pack_broken', { pack: setup.packDir, detail: messageOf(error) });
  }
};

const openedPack = ({ pack, adapter }: StatementReader): OpenedPack => ({
  kind: adapter.kind,
  id: pack.manifest.id,
  version: pack.manifest.version,
  sha256: pack.sha256,
  adapterVersion: adapter.version,
  probes: adapter.probes,
  searchFit: adapter.kind === 'separable' ? adapter.searchFit : null,
});

const separable = (adapter: Adapter): AnySeparableAdapter => {
  if (adapter.kind !== 'separable') throw new Error('a joint pack keeps no evidence');
  return adapter;
};

const toFault = (thrown: unknown): RescoreFault => ({
  detail: messageOf(thrown),
  error: thrown instanceof VouchFailure ? thrown.error : null,
});

const handlersOf = (reader: StatementReader, policy: LocalPolicy): Omit<Handlers<RescoreCalls>, 'open'> => {
  const { adapter, hypotheses } = reader;
  const held = holdStatements();
  let ruling = rulingOf(reader, policy);
  const cache = () => hypotheses?.cache() ?? { hits: 0, misses: 0 };
  const read = (asked: readonly StatementToJudge[]) => prepareStatements(reader, () => ruling, asked);
  return {
    read: async (asked) => {
      const statements = (await read(asked)).map((result) =>
        result.ok ? { ok: true as const, value: infoOf(result.value) } : result,
      );
      return { statements, cache: cache() };
    },
    prepare: async ({ statements: asked, keep }) => {
      const ready = await read(asked);
      const parts = keep ? ready.flatMap((result) => (result.ok ? result.value.prepared.parts : [])) : [];
      const statements = ready.map((result) => {
        if (!result.ok) return result;
        return { ok: true as const, value: { ...infoOf(result.value), handle: held.hold(result.value) } };
      });
      return { statements, cache: cache(), toKeep: hypotheses?.toKeep(parts) ?? [] };
    },
    release: held.release,
    judge: ({ photos, statements, explain }) => {
      const asked = statements.map(held.get);
      return photos.map((photo) => judgePhoto(adapter, ruling.judge, photo, asked, explain));
    },
    policy: (next) => {
      ruling = rulingOf(reader, next);
      held.change((statement) => settled(statement, ruling));
    },
    search: (search, call) => runSearch(separable(adapter), search, held.get(search.statement).prepared, call),
    rescore: (query, call) => {
      const by = { adapter, judge: ruling.judge };
      return runRescore(by, query, query.statements.map(held.get), call);
    },
  };
};

export const serveRescore = ({ port, openTextGraphs }: WorkerPorts): void => {
  let handlers: Partial<Handlers<RescoreCalls>> = {
    open: async (setup) => {
      const reader = await openReader(setup, openTextGraphs);
      if ('code' in reader) throw new VouchFailure(reader);
      handlers = handlersOf(reader, setup.policy ?? noPolicy);
      return openedPack(reader);
    },
  };
  answerCalls<RescoreCalls>(port, { handlerOf: (name) => handlers[name], toFault });
};
