/**
 * TensorFlow spells hard sigmoid as clip(x + 3, 0, 6) / 6 and hard swish as x times that. As one HardSigmoid
 * node they cost a third and keep ONNX Runtime's blocked layout.
 */
import { type Constant, floatValues, type Graph, type Node, pruned } from './graph.ts';

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-3;

/** The node's other input, if one is a scalar constant close to `value`. */
function otherThanScalar(
  node: Node | undefined,
  constants: ReadonlyMap<string, Constant>,
  value: number,
): string | undefined {
  const [a, b] = node?.inputs ?? [];
  const isScalar = (name: string | undefined): boolean => {
    const constant = constants.get(name ?? '');
    return constant !== undefined && constant.dims.length === 0 && near(floatValues(constant)[0] ?? Number.NaN, value);
  };
  if (isScalar(a)) return b;
  return isScalar(b) ? a : undefined;
}

/** What x is, if `name` is clip(x + 3, 0, 6). */
function clippedInput(
  name: string | undefined,
  producers: ReadonlyMap<string, Node>,
  graph: Graph,
): string | undefined {
  const clip = producers.get(name ?? '');
  if (clip?.op !== 'Clip') return undefined;
  const sum = producers.get(clip.inputs[0] ?? '');
  return sum?.op === 'Add' ? otherThanScalar(sum, graph.constants, 3) : undefined;
}

function rewrite(node: Node, producers: ReadonlyMap<string, Node>, graph: Graph): readonly Node[] {
  if (node.op !== 'Mul') return [node];
  const attributes = { alpha: { float: 1 / 6 }, beta: { float: 0.5 } };
  const output = node.outputs[0] as string;

  const clipped = otherThanScalar(node, graph.constants, 1 / 6);
  const gated = clippedInput(clipped, producers, graph);
  if (gated) return [{ op: 'HardSigmoid', inputs: [gated], outputs: [output], attributes }];

  for (const [sixth, clip] of [node.inputs, [...node.inputs].reverse()]) {
    const x = clippedInput(clip, producers, graph);
    const product = producers.get(sixth ?? '');
    if (!x || product?.op !== 'Mul' || otherThanScalar(product, graph.constants, 1 / 6) !== x) continue;
    const gate = `${output}.gate`;
    return [
      { op: 'HardSigmoid', inputs: [x], outputs: [gate], attributes },
      { op: 'Mul', inputs: [x, gate], outputs: [output], attributes: {} },
    ];
  }
  return [node];
}

export function fuseHardSwish(graph: Graph): Graph {
  const producers = new Map(graph.nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  return pruned({ ...graph, nodes: graph.nodes.flatMap((node) => rewrite(node, producers, graph)) });
}
