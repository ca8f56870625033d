/**
 * Entry of the worker thread that prepares statements and judges evidence. It lies above both verdicts, whose worker it
 * is, and inference, whose sessions run the graphs that some packs read statements with.
 */
import { parentPort } from 'node:worker_threads';
import { vouchError } from '../../contract/errors.ts';
import type { Pack } from '../../contract/pack.ts';
import type { RunGraph } from '../../contract/seam.ts';
import { VouchFailure } from '../../failure.ts';
import { LoadError } from '../../inference/session/backend.ts';
import { openTextGraphs } from '../../inference/session/text-graphs.ts';
import { serveRescore } from '../../verdicts/worker/serve-rescore.ts';

if (!parentPort) throw new Error('the re-score worker must be started by the core');

/** What goes wrong with a graph, as a person can read it. */
const toFailure = ({ manifest }: Pack, thrown: unknown): unknown => {
  if (!(thrown instanceof LoadError)) return thrown;
  const { message: detail } = thrown;
  if (thrown.code === 'runtime_missing') return new VouchFailure(vouchError('runtime_missing', { detail }));
  return new VouchFailure(vouchError('pack_broken', { pack: manifest.id, detail }));
};

serveRescore({
  port: parentPort,
  openTextGraphs: (pack, graphs, graphCache): RunGraph => {
    const run = openTextGraphs(pack, graphs, graphCache);
    return (graph, inputs) =>
      run(graph, inputs).catch((thrown) => {
        throw toFailure(pack, thrown);
      });
  },
});
