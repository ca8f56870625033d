/**
 * Turns a TensorFlow.js graph model into graph nodes. Every tensor is kept as planes (N, C, H, W) whatever
 * order the source names it in, so its transposes between the two orders vanish. Only the operations that
 * the two detectors tried use are understood.
 */
import type { GraphBuilder } from './graph.ts';

type RawNode = Readonly<{
  name: string;
  op: string;
  input?: readonly string[];
  attr?: Readonly<Record<string, RawAttribute>>;
}>;
type RawAttribute = Readonly<{
  s?: string;
  b?: boolean;
  f?: number;
  i?: string;
  list?: Readonly<{ s?: readonly string[]; i?: readonly string[] }>;
}>;
type RawWeight = Readonly<{
  name: string;
  shape: readonly number[];
  dtype: string;
  quantization?: Readonly<{ dtype: string }>;
}>;
export type TfjsModel = Readonly<{
  modelTopology: Readonly<{ node: readonly RawNode[] }>;
  weightsManifest: readonly Readonly<{ weights: readonly RawWeight[] }>[];
}>;

type Value = Readonly<{ dims: readonly number[]; values: Float32Array }>;
/** `channelsLast` says how the source sees it; name and size are those of the planes. */
export type Planes = Readonly<{ name: string; channels: number; height: number; width: number; channelsLast: boolean }>;

const BYTES: Readonly<Record<string, number>> = { float32: 4, float16: 2, int32: 4 };

function readWeights(model: TfjsModel, bytes: Uint8Array): Map<string, Value> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Map<string, Value>();
  let at = 0;
  for (const { name, shape, dtype, quantization } of model.weightsManifest.flatMap((group) => group.weights)) {
    const stored = quantization?.dtype ?? dtype;
    const size = BYTES[stored];
    if (!size) throw new Error(`tfjs: ${name} is stored as ${stored}`);
    const length = shape.reduce((product, dim) => product * dim, 1);
    const read = (i: number): number => {
      if (stored === 'float16') return view.getFloat16(at + i * size, true);
      return stored === 'int32' ? view.getInt32(at + i * size, true) : view.getFloat32(at + i * size, true);
    };
    values.set(name, { dims: shape, values: Float32Array.from({ length }, (_, i) => read(i)) });
    at += length * size;
  }
  return values;
}

/** [H, W, in, out] -> [out, in, H, W]; for a depthwise one [H, W, C, 1] -> [C, 1, H, W]. */
function kernelToPlanes({ dims, values }: Value, depthwise: boolean): Value {
  const [h, w, a, b] = dims as [number, number, number, number];
  const [out, into] = depthwise ? [a, b] : [b, a];
  const moved = new Float32Array(values.length);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++)
      for (let i = 0; i < into; i++)
        for (let o = 0; o < out; o++) {
          const source = (y * w + x) * a * b + (depthwise ? o * b + i : i * b + o);
          moved[((o * into + i) * h + y) * w + x] = values[source] as number;
        }
  return { dims: [out, into, h, w], values: moved };
}

export type TfjsOptions = Readonly<{ input: string; planes: Planes; outputs: readonly string[] }>;

/** Adds what `outputs` need to the builder; returns those tensors in the same order. Throws on an unknown operation. */
export function addTfjs(
  builder: GraphBuilder,
  model: TfjsModel,
  bytes: Uint8Array,
  options: TfjsOptions,
): readonly Planes[] {
  const weights = readWeights(model, bytes);
  const nodes = new Map(model.modelTopology.node.map((node) => [node.name, node]));
  const done = new Map<string, Planes>([[options.input, options.planes]]);
  const decode = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString();
  const attribute = (node: RawNode, name: string): RawAttribute => node.attr?.[name] ?? {};
  const ints = (node: RawNode, name: string): number[] => (attribute(node, name).list?.i ?? []).map(Number);
  const weightOf = (name: string): Value => {
    const value = weights.get(name);
    if (!value) throw new Error(`tfjs: ${name} is no weight`);
    return value;
  };
  const operands = (node: RawNode): string[] =>
    (node.input ?? []).filter((name) => !name.startsWith('^')).map((name) => name.replace(/:0$/, ''));

  /** A weight as an operand of an elementwise operation: a scalar, or one value a channel. */
  const operand = (name: string): string => {
    const { dims, values } = weightOf(name);
    const shape = values.length === 1 ? [] : [values.length, 1, 1];
    if (dims.filter((dim) => dim > 1).length > 1) throw new Error(`tfjs: ${name} has shape ${dims.join('x')}`);
    return builder.floats(`${name}#${sequence++}`, shape, values);
  };
  let sequence = 0;

  const convolution = (node: RawNode): Planes => {
    const [source, kernelName, biasName] = operands(node) as [string, string, string?];
    const input = tensor(source);
    const depthwise = /depthwise/i.test(node.op);
    const kernel = kernelToPlanes(weightOf(kernelName), depthwise);
    const [channels, , h, w] = kernel.dims as [number, number, number, number];
    const stride = ints(node, 'strides')[input.channelsLast ? 1 : 2] as number;
    const window = windowed(node, input, h, w, stride);
    const inputs = [input.name, builder.floats(`${node.name}.weight`, kernel.dims, kernel.values)];
    if (biasName) inputs.push(builder.floats(`${node.name}.bias`, [channels], weightOf(biasName).values));
    const group = depthwise ? input.channels : input.channels / (kernel.dims[1] as number);
    const name = builder.add(
      'Conv',
      inputs,
      { kernel_shape: [h, w], strides: [stride, stride], pads: window.pads, group },
      node.name,
    );
    const fused = (attribute(node, 'fused_ops').list?.s ?? []).map(decode).slice(1);
    const activated = fused.reduce((from, op) => builder.add(op, [from], {}, `${node.name}.${op}`), name);
    return { ...input, name: activated, channels, height: window.height, width: window.width };
  };

  const windowed = (node: RawNode, input: Planes, h: number, w: number, stride: number) => {
    const same = decode(attribute(node, 'padding').s) === 'SAME';
    const along = (size: number, kernel: number) => {
      const out = same ? Math.ceil(size / stride) : Math.floor((size - kernel) / stride) + 1;
      const total = same ? Math.max((out - 1) * stride + kernel - size, 0) : 0;
      return { out, begin: Math.floor(total / 2), end: Math.ceil(total / 2) };
    };
    const y = along(input.height, h);
    const x = along(input.width, w);
    return { pads: [y.begin, x.begin, y.end, x.end], height: y.out, width: x.out };
  };

  const elementwise = (node: RawNode, op: string): Planes => {
    const [a, b] = operands(node) as [string, string];
    const [left, right] = [a, b].map((name) => (weights.has(name) ? undefined : tensor(name)));
    const shape = left && (!right || left.height >= right.height) ? left : right;
    if (!shape) throw new Error(`tfjs: ${node.name} of two weights`);
    const name = builder.add(op, [left?.name ?? operand(a), right?.name ?? operand(b)], {}, node.name);
    return { ...shape, name };
  };

  const unary = (node: RawNode, op: string, attributes = {}, more: readonly string[] = []): Planes => {
    const input = tensor(operands(node)[0] as string);
    return { ...input, name: builder.add(op, [input.name, ...more], attributes, node.name) };
  };

  const convert = (node: RawNode): Planes => {
    const inputs = operands(node);
    switch (node.op) {
      case '_FusedConv2D':
      case 'Conv2D':
      case 'DepthwiseConv2dNative':
      case 'FusedDepthwiseConv2dNative':
        return convolution(node);
      case 'Add':
      case 'AddV2':
        return elementwise(node, 'Add');
      case 'Mul':
        return elementwise(node, 'Mul');
      case 'Relu':
      case 'Sigmoid':
        return unary(node, node.op);
      case 'Relu6':
        return unary(node, 'Clip', {}, [
          builder.floats(`${node.name}.min`, [], [0]),
          builder.floats(`${node.name}.max`, [], [6]),
        ]);
      case 'LeakyRelu':
        return unary(node, 'LeakyRelu', { alpha: { float: attribute(node, 'alpha').f ?? 0.2 } });
      case 'Mean': {
        const input = tensor(inputs[0] as string);
        return { ...input, name: builder.add('GlobalAveragePool', [input.name], {}, node.name), height: 1, width: 1 };
      }
      case 'Identity':
        return tensor(inputs[0] as string);
      case 'Transpose': {
        const input = tensor(inputs[0] as string);
        return { ...input, channelsLast: !input.channelsLast };
      }
      case 'ConcatV2': {
        const parts = inputs.slice(0, -1).map(tensor);
        const channels = parts.reduce((sum, part) => sum + part.channels, 0);
        const name = builder.add(
          'Concat',
          parts.map((part) => part.name),
          { axis: 1 },
          node.name,
        );
        return { ...(parts[0] as Planes), name, channels };
      }
      case 'ResizeBilinear': {
        const input = tensor(inputs[0] as string);
        const [height, width] = weightOf(inputs[1] as string).values as unknown as [number, number];
        const halfPixels = attribute(node, 'half_pixel_centers').b ?? false;
        const scales = builder.floats(`${node.name}.scales`, [4], [1, 1, height / input.height, width / input.width]);
        const mode = { mode: 'linear', coordinate_transformation_mode: halfPixels ? 'half_pixel' : 'asymmetric' };
        return { ...input, name: builder.add('Resize', [input.name, '', scales], mode, node.name), height, width };
      }
      case 'MaxPool': {
        const input = tensor(inputs[0] as string);
        const axis = input.channelsLast ? 1 : 2;
        const kernel = ints(node, 'ksize')[axis] as number;
        const stride = ints(node, 'strides')[axis] as number;
        const { pads, height, width } = windowed(node, input, kernel, kernel, stride);
        const name = builder.add(
          'MaxPool',
          [input.name],
          { kernel_shape: [kernel, kernel], strides: [stride, stride], pads },
          node.name,
        );
        return { ...input, name, height, width };
      }
      case 'Pad':
      case 'PadV2': {
        const input = tensor(inputs[0] as string);
        const p = weightOf(inputs[1] as string).values;
        const axis = input.channelsLast ? 1 : 2;
        const [top, bottom, left, right] = [p[axis * 2], p[axis * 2 + 1], p[axis * 2 + 2], p[axis * 2 + 3]] as [
          number,
          number,
          number,
          number,
        ];
        if (top + bottom + left + right === 0) return input;
        const amounts = builder.ints(`${node.name}.pads`, [0, 0, top, left, 0, 0, bottom, right]);
        const padding = inputs[2]
          ? builder.floats(
              `${node.name}.value`,
              [],
              weightOf(inputs[2]).values.map((v) => Math.max(v, -1e4)),
            )
          : '';
        const name = builder.add(
          'Pad',
          [input.name, amounts, padding].filter(Boolean),
          { mode: 'constant' },
          node.name,
        );
        return { ...input, name, height: input.height + top + bottom, width: input.width + left + right };
      }
      default:
        throw new Error(`tfjs: operation ${node.op} (${node.name})`);
    }
  };

  const tensor = (name: string): Planes => {
    const known = done.get(name);
    if (known) return known;
    const node = nodes.get(name);
    if (!node) throw new Error(`tfjs: no node ${name}`);
    const made = convert(node);
    done.set(name, made);
    return made;
  };
  return options.outputs.map(tensor);
}
