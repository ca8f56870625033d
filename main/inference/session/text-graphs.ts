/** Runs the graphs that statements go through: on one thread of the CPU, opened when the first statement needs them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Precision } from '../../contract/labels.ts';
import type { Pack } from '../../contract/pack.ts';
import type { RunGraph } from '../../contract/seam.ts';
import { LoadError, messageOf, type OpenedGraphs } from './backend.ts';
import { graphFile, openOnnxRuntime } from './onnxruntime.ts';

/** Statements are few: what reads them best goes first, and a hypothesis does not depend on what photos are judged with. */
const best: readonly Precision[] = ['fp32', 'int8', 'bf16', 'fp16'];

/** @throws LoadError where the pack lacks a graph; the runs throw one where it cannot be opened. */
export const openTextGraphs = (
  { dir, manifest }: Pack,
  graphs: readonly string[],
  graphCache: string | null,
): RunGraph => {
  const precisions = new Map(
    graphs.map((graph) => {
      const found = best.find((precision) => existsSync(join(dir, graphFile(graph, precision))));
      if (!found) throw new LoadError('pack_broken', `the pack has no ${graphFile(graph, 'fp32')}`);
      return [graph, found] as const;
    }),
  );
  const opened = new Map<string, Promise<OpenedGraphs>>();

  const open = async (graph: string, precision: Precision): Promise<OpenedGraphs> => {
    const backend = await openOnnxRuntime();
    const on = { device: 'cpu', deviceIndex: 0, threads: 1, watched: false } as const;
    const { sha256 } = manifest;
    try {
      return await backend.open({ packDir: dir, names: [graph], precision, sha256 }, { ...on, graphCache });
    } catch (error) {
      throw new LoadError('pack_broken', messageOf(error));
    }
  };

  return async (graph, inputs) => {
    const precision = precisions.get(graph);
    if (!precision) throw new LoadError('pack_broken', `the adapter knows no text graph ${graph}`);
    const opening = opened.get(graph) ?? open(graph, precision);
    opened.set(graph, opening);
    // The next statement tries again: the reason may have gone.
    opening.catch(() => opened.delete(graph));
    return (await opening).run(graph, inputs);
  };
};
