/** A neural network as plain data: what every converter here makes, changes and at last writes as ONNX. */

export type ElementType = 'float32' | 'float16' | 'uint8' | 'int8' | 'int32' | 'int64';
export type Attribute = number | readonly number[] | string | Readonly<{ float: number }>;

/** `data` holds the values, little-endian, row-major. */
export type Constant = Readonly<{ name: string; type: ElementType; dims: readonly number[]; data: Uint8Array }>;
export type Node = Readonly<{
  op: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes: Readonly<Record<string, Attribute>>;
}>;
/** A dimension is a size or, when it varies, a name; no dimensions at all means that any will do. */
export type Port = Readonly<{ name: string; type: ElementType; dims?: readonly (number | string)[] }>;
export type Graph = Readonly<{
  name: string;
  inputs: readonly Port[];
  outputs: readonly Port[];
  nodes: readonly Node[];
  constants: ReadonlyMap<string, Constant>;
}>;

const bytesOf = (view: ArrayBufferView): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

export function floatConstant(name: string, dims: readonly number[], values: Float32Array): Constant {
  return { name, type: 'float32', dims, data: bytesOf(values) };
}

/** The values of a float32 constant (a copy: the bytes may lie unaligned). */
export function floatValues(constant: Constant): Float32Array {
  if (constant.type !== 'float32') throw new Error(`${constant.name} is ${constant.type}, not float32`);
  return new Float32Array(Uint8Array.from(constant.data).buffer);
}

export type GraphBuilder = Readonly<{
  add: (
    op: string,
    inputs: readonly string[],
    attributes?: Readonly<Record<string, Attribute>>,
    output?: string,
  ) => string;
  addMany: (
    op: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes?: Readonly<Record<string, Attribute>>,
  ) => void;
  constant: (constant: Constant) => string;
  floats: (name: string, dims: readonly number[], values: Float32Array | readonly number[]) => string;
  ints: (name: string, values: readonly number[]) => string;
  build: (name: string, inputs: readonly Port[], outputs: readonly Port[]) => Graph;
}>;

/** Collects nodes in the order they are added, which must be an order they can run in. */
export function graphBuilder(): GraphBuilder {
  const nodes: Node[] = [];
  const constants = new Map<string, Constant>();
  const constant = (value: Constant): string => {
    if (constants.has(value.name)) throw new Error(`constant ${value.name} twice`);
    constants.set(value.name, value);
    return value.name;
  };
  return {
    add(op, inputs, attributes = {}, output = `${op}_${nodes.length}`) {
      nodes.push({ op, inputs, outputs: [output], attributes });
      return output;
    },
    addMany(op, inputs, outputs, attributes = {}) {
      nodes.push({ op, inputs, outputs, attributes });
    },
    constant,
    floats: (name, dims, values) => constant(floatConstant(name, dims, Float32Array.from(values))),
    ints: (name, values) =>
      constant({ name, type: 'int64', dims: [values.length], data: bytesOf(BigInt64Array.from(values, BigInt)) }),
    build: (name, inputs, outputs) => ({ name, inputs, outputs, nodes, constants }),
  };
}

/** Everything `names` are computed from. */
export function ancestors(graph: Graph, names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  for (const node of graph.nodes.toReversed()) {
    if (node.outputs.some((name) => found.has(name))) for (const name of node.inputs) found.add(name);
  }
  return found;
}

/** Without the nodes and constants that no output needs. */
export function pruned(graph: Graph): Graph {
  const needed = new Set(graph.outputs.map((port) => port.name));
  const nodes = graph.nodes.toReversed().filter((node) => {
    const used = node.outputs.some((name) => needed.has(name));
    if (used) for (const name of node.inputs) needed.add(name);
    return used;
  });
  const constants = new Map([...graph.constants].filter(([name]) => needed.has(name)));
  return { ...graph, nodes: nodes.reverse(), constants };
}
