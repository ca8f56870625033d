/**
 * Prepares statements and judges evidence in a worker thread, so that neither runs on the main thread. The worker's
 * entry brings what runs the graphs that statements go through. Says `opened` or `not_opened` first.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { MessagePort, TransferListItem } from 'node:worker_threads';
import { type VouchError, vouchError } from '../../contract/error.ts';
import type { Pack } from '../../contract/pack.ts';
import type { Adapter, AnySeparableAdapter, RunGraph } from '../../contract/seam.ts';
import { VouchFailure } from '../../failure.ts';
import { openAdapter } from '../../packs/open-adapter.ts';
import { readPack } from '../../packs/packs.ts';
import type { LocalPolicy } from '../../policy/policy.ts';
import { type ColloquialTable, noColloquial, readColloquial } from '../../statements/colloquial.ts';
import type { OpenedPack, RescoreReply, RescoreRequest, RescoreSetup } from '../rescore-protocol.ts';
import { holdStatements } from './held-statements.ts';
import { openHypotheses } from './hypotheses.ts';
import { judgePhoto } from './judge-photo.ts';
import { trackWork } from './long-work.ts';
import { infoOf, prepareStatements, rulingOf, type StatementReader, settled } from './prepare-statements.ts';
import { runRescore } from './run-rescore.ts';
import { runSearch } from './run-search.ts';

/** What the worker's entry brings. `openTextGraphs` opens nothing before a graph is run, and throws what a person can read. */
export type WorkerPorts = Readonly<{
  port: MessagePort;
  setup: RescoreSetup;
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

const openReader = async ({ setup, openTextGraphs }: WorkerPorts): Promise<StatementReader | VouchError> => {
  const table = readTable(setup.colloquial);
  if ('code' in table) return table;
  try {
    const pack = readPack(setup.packDir);
    // Statements and evidence only: the input size bears on photos, and none is encoded here.
    const adapter = await openAdapter(pack, pack.manifest.inputs[0]!.size);
    const reader = { pack, adapter, table, normalise: setup.normalise };
    if (adapter.kind === 'joint') return { ...reader, hypotheses: null };
    const graphs = adapter.textGraphs;
    if (graphs.length > 0) {
      return { ...reader, hypotheses: openHypotheses(adapter, openTextGraphs(pack, graphs, setup.graphCache)) };
    }
    // An adapter may read its word lists only now: a broken pack is told here, and no statement waits for them later.
    await adapter.encodeStatements(['a photo'], noGraph);
    return { ...reader, hypotheses: openHypotheses(adapter, noGraph) };
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

export const serveRescore = async (ports: WorkerPorts): Promise<void> => {
  const { port, setup } = ports;
  const reply = (message: RescoreReply, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(message, transfer as readonly TransferListItem[]);

  const reader = await openReader(ports);
  if ('code' in reader) {
    reply({ kind: 'not_opened', error: reader });
    port.close();
    return;
  }
  const { adapter, hypotheses } = reader;
  const held = holdStatements();
  const work = trackWork();
  let ruling = rulingOf(reader, setup.policy ?? noPolicy);
  const cache = () => hypotheses?.cache() ?? { hits: 0, misses: 0 };

  const handle = async (request: RescoreRequest): Promise<void> => {
    switch (request.kind) {
      case 'read': {
        const read = await prepareStatements(reader, () => ruling, request.statements);
        const statements = read.map((result) =>
          result.ok ? { ok: true as const, value: infoOf(result.value) } : result,
        );
        return reply({ kind: 'read', id: request.id, statements, cache: cache() });
      }
      case 'prepare': {
        const read = await prepareStatements(reader, () => ruling, request.statements);
        const statements = read.map((result) => {
          if (!result.ok) return result;
          return { ok: true as const, value: { ...infoOf(result.value), handle: held.hold(result.value) } };
        });
        return reply({ kind: 'prepared', id: request.id, statements, cache: cache() });
      }
      case 'release':
        return held.release(request.statements);
      case 'judge': {
        const { photos, statements, explain } = request;
        const asked = statements.map(held.get);
        const rows = photos.map((photo) => judgePhoto(adapter, ruling.judge, photo, asked, explain));
        return reply({ kind: 'judged', id: request.id, rows });
      }
      case 'policy':
        ruling = rulingOf(reader, request.policy);
        return held.change((statement) => settled(statement, ruling));
      case 'search': {
        const { id, search } = request;
        const { prepared } = held.get(search.statement);
        return work.run(id, (running) => runSearch(separable(adapter), id, search, prepared, running, reply));
      }
      case 'rescore': {
        const { id, query } = request;
        const by = { adapter: separable(adapter), judge: ruling.judge };
        const statements = query.statements.map(held.get);
        return work.run(id, (running) => runRescore(by, id, query, statements, running, reply));
      }
      case 'stored':
        return work.stored(request.id, request.rows);
      case 'cancel':
        return work.cancel(request.id);
    }
  };

  port.on('message', (request: RescoreRequest) => {
    handle(request).catch((thrown) => {
      const error = thrown instanceof VouchFailure ? thrown.error : null;
      reply({ kind: 'failed', id: request.id, detail: messageOf(thrown), error });
    });
  });
  reply({ kind: 'opened', pack: openedPack(reader) });
};
