/**
 * EfficientNet-Lite (Tan & Le 2019, arXiv:1905.11946; the Lite variants have no squeeze-and-excite and use
 * ReLU6) from a PyTorch state dictionary. Batch norms are folded into the convolutions.
 */
import { type Graph, type GraphBuilder, graphBuilder } from './graph.ts';
import type { TorchTensor } from './torch-checkpoint.ts';

type Weights = ReadonlyMap<string, TorchTensor>;
/** Blocks of a stage, and the stride of its first one. The first and last stage never grow with depth. */
const STAGES = [
  { blocks: 1, stride: 1 },
  { blocks: 2, stride: 2 },
  { blocks: 2, stride: 2 },
  { blocks: 3, stride: 2 },
  { blocks: 3, stride: 1 },
  { blocks: 4, stride: 2 },
  { blocks: 1, stride: 1 },
] as const;
const VARIANTS = {
  lite0: { size: 224, depth: 1 },
  lite1: { size: 240, depth: 1.1 },
  lite2: { size: 260, depth: 1.2 },
} as const;
const NORM_EPSILON = 1e-3;
const CLASSES = 1000;
/** Pixels 0 to 255 become about -1 to 1, as in the TensorFlow original. */
const PIXEL_MEAN = 127;
const PIXEL_SCALE = 1 / 128;

export type EfficientNetLite = keyof typeof VARIANTS;
export const efficientNetLiteSize = (variant: EfficientNetLite): number => VARIANTS[variant].size;

/** The last layer; what follows it computes in float32 at every precision. */
export const CLASSIFIER_HEADS = ['logits'] as const;

type Feature = Readonly<{ name: string; size: number; channels: number }>;

function take(weights: Weights, name: string): TorchTensor {
  const tensor = weights.get(name);
  if (!tensor) throw new Error(`checkpoint lacks ${name}`);
  return tensor;
}

/** Convolution without bias followed by a batch norm -> one with bias. */
function foldNorm(kernel: TorchTensor, weights: Weights, norm: string): { values: Float32Array; bias: Float32Array } {
  const [gamma, beta, mean, variance] = ['weight', 'bias', 'running_mean', 'running_var'].map(
    (part) => take(weights, `${norm}.${part}`).values,
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  const channels = kernel.dims[0] as number;
  const each = kernel.values.length / channels;
  const values = new Float32Array(kernel.values.length);
  const bias = new Float32Array(channels);
  for (let c = 0; c < channels; c++) {
    const scale = (gamma[c] as number) / Math.sqrt((variance[c] as number) + NORM_EPSILON);
    for (let i = c * each; i < (c + 1) * each; i++) values[i] = (kernel.values[i] as number) * scale;
    bias[c] = (beta[c] as number) - (mean[c] as number) * scale;
  }
  return { values, bias };
}

/** Padding as TensorFlow's SAME: the odd pixel goes to the end. */
function samePadding(size: number, kernel: number, stride: number): { pads: number[]; size: number } {
  const out = Math.ceil(size / stride);
  const total = Math.max((out - 1) * stride + kernel - size, 0);
  const begin = Math.floor(total / 2);
  return { pads: [begin, begin, total - begin, total - begin], size: out };
}

function convolution(
  builder: GraphBuilder,
  weights: Weights,
  input: Feature,
  conv: string,
  norm: string,
  { stride = 1, activate = true }: { stride?: number; activate?: boolean } = {},
): Feature {
  const kernel = take(weights, `${conv}.weight`);
  const [channels, perGroup, k] = kernel.dims as [number, number, number];
  const { values, bias } = foldNorm(kernel, weights, norm);
  const { pads, size } = samePadding(input.size, k, stride);
  const folded = builder.add(
    'Conv',
    [
      input.name,
      builder.floats(`${conv}.weight`, kernel.dims, values),
      builder.floats(`${conv}.bias`, [channels], bias),
    ],
    { kernel_shape: [k, k], strides: [stride, stride], pads, group: input.channels / perGroup },
    conv,
  );
  const name = activate ? builder.add('Clip', [folded, 'zero', 'six'], {}, `${conv}.relu6`) : folded;
  return { name, size, channels };
}

function block(builder: GraphBuilder, weights: Weights, input: Feature, prefix: string, stride: number): Feature {
  const conv = (from: Feature, part: string, norm: string, options = {}): Feature =>
    convolution(builder, weights, from, `${prefix}.${part}`, `${prefix}.${norm}`, options);
  const expanded = weights.has(`${prefix}._expand_conv.weight`) ? conv(input, '_expand_conv', '_bn0') : input;
  const filtered = conv(expanded, '_depthwise_conv', '_bn1', { stride });
  const output = conv(filtered, '_project_conv', '_bn2', { activate: false });
  if (stride !== 1 || input.channels !== output.channels) return output;
  return { ...output, name: builder.add('Add', [output.name, input.name], {}, `${prefix}.add`) };
}

/** Graph `image` uint8 [N, size, size, 3] -> `probabilities` float32 [N, 1000], classes in order of their WordNet ids. */
export function efficientNetLite(variant: EfficientNetLite, weights: Weights): Graph {
  const { size, depth } = VARIANTS[variant];
  const builder = graphBuilder();
  builder.floats('zero', [], [0]);
  builder.floats('six', [], [6]);
  const planes = builder.add('Transpose', ['image'], { perm: [0, 3, 1, 2] });
  const pixels = builder.add('Cast', [planes], { to: 1 });
  const centred = builder.add('Sub', [pixels, builder.floats('pixel_mean', [], [PIXEL_MEAN])]);
  const scaled = builder.add('Mul', [centred, builder.floats('pixel_scale', [], [PIXEL_SCALE])]);

  let feature: Feature = { name: scaled, size, channels: 3 };
  feature = convolution(builder, weights, feature, '_conv_stem', '_bn0', { stride: 2 });
  let index = 0;
  STAGES.forEach(({ blocks, stride }, stage) => {
    const fixed = stage === 0 || stage === STAGES.length - 1;
    const count = fixed ? blocks : Math.ceil(blocks * depth);
    for (let i = 0; i < count; i++) {
      feature = block(builder, weights, feature, `_blocks.${index++}`, i === 0 ? stride : 1);
    }
  });
  feature = convolution(builder, weights, feature, '_conv_head', '_bn1');
  const pooled = builder.add('GlobalAveragePool', [feature.name]);
  const flat = builder.add('Flatten', [pooled], { axis: 1 });
  const matrix = take(weights, '_fc.weight');
  const logits = builder.add(
    'Gemm',
    [
      flat,
      builder.floats('_fc.weight', matrix.dims, matrix.values),
      builder.floats('_fc.bias', [CLASSES], take(weights, '_fc.bias').values),
    ],
    { transB: 1 },
    'logits',
  );
  builder.add('Softmax', [logits], { axis: 1 }, 'probabilities');
  return builder.build(
    'classifier',
    [{ name: 'image', type: 'uint8', dims: ['N', size, size, 3] }],
    [{ name: 'probabilities', type: 'float32', dims: ['N', CLASSES] }],
  );
}
