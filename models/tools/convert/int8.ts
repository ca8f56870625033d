/**
 * Static int8 in the quantise-dequantise form, which ONNX Runtime and TensorRT fuse into integer kernels.
 * Activations are uint8 with one scale a tensor, from measured ranges; weights are symmetric int8 with one
 * scale a channel. `int8Weights` is the milder form: the weights alone.
 */
import { ancestors, type Constant, floatConstant, floatValues, type Graph, type Node, pruned } from './graph.ts';

/** Least and greatest value of an activation. */
export type Range = readonly [number, number];
export type Ranges = Readonly<Record<string, Range>>;

export type Int8Options = Readonly<{
  ranges: Ranges;
  /** What lies after these tensors stays float32. */
  heads: readonly string[];
  /** Whether the node that makes this tensor stays float32. */
  keep: (output: string) => boolean;
}>;

const LAYERS: ReadonlySet<string> = new Set(['Conv', 'Gemm']);
/** Operations with an integer kernel of their own, so that nothing is dequantised between two layers. */
const BETWEEN: ReadonlySet<string> = new Set(['Add', 'GlobalAveragePool', 'Flatten']);
const FLOAT32 = 1;
const WEIGHT_STEPS = 127;
const ACTIVATION_STEPS = 255;

const bytesOf = (view: ArrayBufferView): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const first = (names: readonly string[]): string => names[0] as string;

/** Activations whose ranges `int8` needs. */
export function activationsOf(graph: Graph, heads: readonly string[]): readonly string[] {
  const inside = ancestors(graph, heads);
  const names = graph.nodes
    .filter(({ op, outputs }) => (LAYERS.has(op) || BETWEEN.has(op)) && inside.has(first(outputs)))
    .flatMap(({ inputs }) => inputs)
    .filter((name) => !graph.constants.has(name));
  return [...new Set(names)];
}

/** Zero is a value of its own, or padding would be wrong. */
function affineOf([low, high]: Range): Readonly<{ scale: number; zero: number }> {
  const least = Math.min(low, 0);
  const scale = Math.fround((Math.max(high, 0) - least) / ACTIVATION_STEPS || 1);
  return { scale, zero: Math.round(-least / scale) };
}

/**
 * The finest scale at which no weight passes 127 and no two weights of one sign side by side add up to more
 * than 128: AVX2 without VNNI sums two products with an activation of up to 255 in 16 bits. Finer than giving
 * every weight 7 bits, as ONNX Runtime's `reduce_range` does. Depthwise kernels have sums of 32 bits.
 */
function safeScale(values: Float32Array, depthwise: boolean): number {
  let most = 0;
  values.forEach((value, i) => {
    const next = values[i + 1] ?? 0;
    const pair = !depthwise && value * next > 0 ? value + next : value;
    most = Math.max(most, Math.abs(value), Math.abs(pair));
  });
  return most / WEIGHT_STEPS || 1;
}

type Quantised = Readonly<{ value: Constant; scale: Constant; zero: Constant }>;

function quantiseWeight(constant: Constant, scaleOf: (values: Float32Array) => number): Quantised {
  const { name, dims } = constant;
  const values = floatValues(constant);
  const channels = dims[0] as number;
  const each = values.length / channels;
  const scales = Float32Array.from({ length: channels }, (_, c) => scaleOf(values.subarray(c * each, (c + 1) * each)));
  const steps = Int8Array.from(values, (value, i) => Math.round(value / (scales[Math.floor(i / each)] as number)));
  return {
    value: { name: `${name}.int8`, type: 'int8', dims, data: bytesOf(steps) },
    scale: floatConstant(`${name}.scale`, [channels], scales),
    zero: { name: `${name}.zero`, type: 'int8', dims: [channels], data: new Uint8Array(channels) },
  };
}

/** At the scale of the products that it is added to. */
function quantiseBias(constant: Constant, inputScale: number, weightScales: Float32Array): Quantised {
  const { name, dims } = constant;
  const scales = weightScales.map((scale) => scale * inputScale);
  const steps = Int32Array.from(floatValues(constant), (value, c) => Math.round(value / (scales[c] as number)));
  return {
    value: { name: `${name}.int32`, type: 'int32', dims, data: bytesOf(steps) },
    scale: floatConstant(`${name}.scale`, dims, scales),
    zero: { name: `${name}.zero`, type: 'int32', dims, data: new Uint8Array(steps.byteLength) },
  };
}

/** Throws when a range that it needs is missing. */
export function int8(graph: Graph, { ranges, heads, keep }: Int8Options): Graph {
  const inside = ancestors(graph, heads);
  const integer = (node: Node | undefined): boolean =>
    node !== undefined &&
    (LAYERS.has(node.op) || BETWEEN.has(node.op)) &&
    inside.has(first(node.outputs)) &&
    !keep(first(node.outputs));
  const producers = new Map(graph.nodes.map((node) => [first(node.outputs), node]));
  const constants = new Map(graph.constants);
  const nodes: Node[] = [];
  const quantised = new Set<string>();

  const store = (constant: Constant): string => {
    constants.set(constant.name, constant);
    return constant.name;
  };
  const affine = (name: string) => {
    const range = ranges[name];
    if (!range) throw new Error(`int8: no range for ${name}`);
    return affineOf(range);
  };
  /** Through uint8 and back: NAME -> NAME.dq, reading `source`. */
  const roundTrip = (name: string, source = name): string => {
    const dequantised = `${name}.dq`;
    if (quantised.has(name)) return dequantised;
    quantised.add(name);
    const { scale, zero } = affine(name);
    const parameters = [
      store(floatConstant(`${name}.scale`, [], Float32Array.of(scale))),
      store({ name: `${name}.zero`, type: 'uint8', dims: [], data: Uint8Array.of(zero) }),
    ];
    nodes.push({ op: 'QuantizeLinear', inputs: [source, ...parameters], outputs: [`${name}.q`], attributes: {} });
    nodes.push({
      op: 'DequantizeLinear',
      inputs: [`${name}.q`, ...parameters],
      outputs: [dequantised],
      attributes: {},
    });
    return dequantised;
  };
  const dequantise = (name: string, { value, scale, zero }: Quantised): string => {
    const inputs = [value, scale, zero].map(store);
    nodes.push({ op: 'DequantizeLinear', inputs, outputs: [`${name}.dq`], attributes: { axis: 0 } });
    return `${name}.dq`;
  };

  const layer = (node: Node): Node => {
    const [source, weightName, biasName] = node.inputs as [string, string, string];
    const weight = graph.constants.get(weightName) as Constant;
    const depthwise = node.op === 'Conv' && weight.dims[1] === 1;
    const weights = quantiseWeight(weight, (values) => safeScale(values, depthwise));
    const bias = quantiseBias(
      graph.constants.get(biasName) as Constant,
      affine(source).scale,
      floatValues(weights.scale),
    );
    return { ...node, inputs: [roundTrip(source), dequantise(weightName, weights), dequantise(biasName, bias)] };
  };

  for (const node of graph.nodes) {
    const output = first(node.outputs);
    if (node.op === 'Clip' && integer(producers.get(first(node.inputs))) && ranges[output]) {
      // The limits of the quantised range do the clipping.
      nodes.push({
        op: 'Identity',
        inputs: [roundTrip(output, first(node.inputs))],
        outputs: [output],
        attributes: {},
      });
    } else if (integer(node) && LAYERS.has(node.op)) nodes.push(layer(node));
    else if (integer(node)) nodes.push({ ...node, inputs: node.inputs.map((name) => roundTrip(name)) });
    else nodes.push(node);
  }
  return pruned({ ...graph, nodes, constants });
}

/** The finest scale at which no weight passes 127. */
const finestScale = (values: Float32Array): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / WEIGHT_STEPS || 1;

/**
 * Int8 weights, symmetric with one scale a channel, in float32 arithmetic; weights for which `keep` holds stay.
 * They are spelt as Cast and Mul, not as DequantizeLinear: ONNX Runtime computes those once, when it opens the
 * graph, but leaves a DequantizeLinear for every run and then keeps the convolution out of its blocked layout.
 */
export function int8Weights(graph: Graph, keep: (weight: Constant) => boolean): Graph {
  const constants = new Map(graph.constants);
  const nodes = graph.nodes.flatMap((node): readonly Node[] => {
    const [source, weightName, ...bias] = node.inputs as [string, string, ...string[]];
    const weight = LAYERS.has(node.op) ? graph.constants.get(weightName) : undefined;
    if (!weight || keep(weight)) return [node];
    const { value, scale } = quantiseWeight(weight, finestScale);
    constants.set(value.name, value);
    constants.set(scale.name, { ...scale, dims: weight.dims.map((size, axis) => (axis === 0 ? size : 1)) });
    const steps = `${weightName}.steps`;
    const restored = `${weightName}.restored`;
    return [
      { op: 'Cast', inputs: [value.name], outputs: [steps], attributes: { to: FLOAT32 } },
      { op: 'Mul', inputs: [steps, scale.name], outputs: [restored], attributes: {} },
      { ...node, inputs: [source, restored, ...bias] },
    ];
  });
  return pruned({ ...graph, nodes, constants });
}
