/** Half precision: to compute in, or only to keep weights in. */
import { ancestors, type Constant, floatValues, type Graph, type Node } from './graph.ts';

const FLOAT16 = 10;
const FLOAT32 = 1;

function toHalf(constant: Constant): Constant {
  const values = Float16Array.from(floatValues(constant));
  if (values.some((value) => !Number.isFinite(value))) throw new Error(`${constant.name} does not fit half precision`);
  return { ...constant, type: 'float16', data: new Uint8Array(values.buffer) };
}

/**
 * Weights and arithmetic in half precision from the first cast up to `heads`, which are cast back; what follows
 * them stays float32. Throws on a weight that overflows.
 */
export function halfPrecision(graph: Graph, heads: readonly string[]): Graph {
  const half = ancestors(graph, heads);
  const halfName = (name: string): string => (heads.includes(name) ? `${name}.half` : name);
  const nodes = graph.nodes.flatMap((node): readonly Node[] => {
    const [output] = node.outputs as [string];
    if (!half.has(output)) return [node];
    if (node.op === 'Cast') return [{ ...node, attributes: { to: FLOAT16 } }];
    const converted = { ...node, inputs: node.inputs.map(halfName), outputs: node.outputs.map(halfName) };
    if (!heads.includes(output)) return [converted];
    return [converted, { op: 'Cast', inputs: [halfName(output)], outputs: [output], attributes: { to: FLOAT32 } }];
  });
  // The scales of a Resize are float32 whatever it resizes.
  const scales = new Set(graph.nodes.filter((node) => node.op === 'Resize').map((node) => node.inputs[2] ?? ''));
  const constants = new Map(
    [...graph.constants].map(([name, constant]) => {
      const convert = constant.type === 'float32' && half.has(name) && !scales.has(name);
      return [name, convert ? toHalf(constant) : constant] as const;
    }),
  );
  return { ...graph, nodes, constants };
}

/** Weights that half precision holds exactly are stored so, in half the bytes; all arithmetic stays float32. */
export function storedAsHalf(graph: Graph): Graph {
  const halves = [...graph.constants.values()]
    .filter((constant) => constant.type === 'float32' && constant.dims.length > 0)
    .filter((constant) => floatValues(constant).every((value) => Math.f16round(value) === value));
  const casts = halves.map(
    ({ name }): Node => ({ op: 'Cast', inputs: [`${name}.half`], outputs: [name], attributes: { to: FLOAT32 } }),
  );
  const constants = new Map(graph.constants);
  for (const constant of halves) {
    constants.delete(constant.name);
    constants.set(`${constant.name}.half`, { ...toHalf(constant), name: `${constant.name}.half` });
  }
  return { ...graph, nodes: [...casts, ...graph.nodes], constants };
}
