import ort from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { halfPrecision, storedAsHalf } from '../../../../models/tools/convert/float16.ts';
import { type Graph, graphBuilder } from '../../../../models/tools/convert/graph.ts';
import { fuseHardSwish } from '../../../../models/tools/convert/hard-swish.ts';
import { activationsOf, int8, int8Weights } from '../../../../models/tools/convert/int8.ts';
import { encodeOnnx } from '../../../../models/tools/convert/onnx.ts';

const SIDE = 4;
const CHANNELS = 4;

/** Pseudo-random values of -1 to 1 that are the same everywhere. */
const values = (count: number): number[] => Array.from({ length: count }, (_, i) => Math.sin(i * 12.9898) % 1);

/** Two small convolutions with a clip between them: the shapes that a classifier is made of. */
function network(): Graph {
  const { add, floats, build } = graphBuilder();
  const pixels = add('Cast', [add('Transpose', ['image'], { perm: [0, 3, 1, 2] })], { to: 1 });
  const scaled = add('Mul', [pixels, floats('scale', [], [1 / 128])]);
  const one = add(
    'Conv',
    [scaled, floats('w1', [CHANNELS, 3, 1, 1], values(12)), floats('b1', [CHANNELS], [0.5, 0, -0.5, 1])],
    { kernel_shape: [1, 1] },
    'first',
  );
  const clipped = add('Clip', [one, floats('zero', [], [0]), floats('six', [], [6])], {}, 'first.relu6');
  add(
    'Conv',
    [clipped, floats('w2', [2, CHANNELS, 1, 1], values(8)), floats('b2', [2], [0, 1])],
    { kernel_shape: [1, 1] },
    'second',
  );
  add('GlobalAveragePool', ['second'], {}, 'pooled');
  return build(
    'network',
    [{ name: 'image', type: 'uint8', dims: ['N', SIDE, SIDE, 3] }],
    [{ name: 'pooled', type: 'float32', dims: ['N', 2, 1, 1] }],
  );
}

const image = new ort.Tensor(
  'uint8',
  Uint8Array.from({ length: 2 * SIDE * SIDE * 3 }, (_, i) => (i * 37) % 256),
  [2, SIDE, SIDE, 3],
);

async function run(graph: Graph): Promise<readonly number[]> {
  const session = await ort.InferenceSession.create(encodeOnnx(graph));
  const outputs = await session.run({ image });
  await session.release();
  return Array.from(outputs.pooled?.data as Float32Array);
}

const farthest = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, i) => Math.abs(value - (b[i] as number))));

describe('precisions', () => {
  it('computes the same in half precision, within its rounding', async () => {
    const half = halfPrecision(network(), ['pooled']);
    expect(half.constants.get('w1')?.type).toBe('float16');
    expect(farthest(await run(network()), await run(half))).toBeLessThan(5e-3);
  });

  it('refuses a weight that half precision cannot hold', () => {
    const graph = network();
    const huge = {
      name: 'w1',
      type: 'float32' as const,
      dims: [CHANNELS, 3, 1, 1],
      data: new Uint8Array(Float32Array.from({ length: 12 }, () => 1e6).buffer),
    };
    const constants = new Map([...graph.constants, ['w1', huge] as const]);
    expect(() => halfPrecision({ ...graph, constants }, ['pooled'])).toThrow('w1');
  });

  it('stores only weights that half precision holds exactly, and then changes nothing', async () => {
    const graph = network();
    const stored = storedAsHalf(graph);
    expect(stored.constants.has('b1.half')).toBe(true);
    expect(stored.constants.has('w1')).toBe(true);
    expect(await run(stored)).toEqual(await run(graph));
  });

  it('computes nearly the same in int8', async () => {
    const graph = network();
    const ranges = { Mul_2: [0, 2], 'first.relu6': [0, 6], second: [-12, 12] } as const;
    expect(activationsOf(graph, ['pooled'])).toEqual(
      ['Mul_2', 'first.relu6', 'second'].filter((name) => name !== 'Clip'),
    );
    const integer = int8(graph, { ranges, heads: ['pooled'], keep: () => false });
    expect(integer.constants.get('w1.int8')?.type).toBe('int8');
    expect(farthest(await run(graph), await run(integer))).toBeLessThan(0.06);
  });

  it('never lets two neighbouring int8 weights of one sign overflow 16 bits with activations of 255', () => {
    const ranges = { Mul_2: [0, 2], 'first.relu6': [0, 6], second: [-12, 12] } as const;
    const { constants } = int8(network(), { ranges, heads: ['pooled'], keep: () => false });
    const weights = new Int8Array(constants.get('w2.int8')?.data.slice().buffer ?? new ArrayBuffer(0));
    expect(weights).toHaveLength(2 * CHANNELS);
    const sums = Array.from(weights.subarray(0, -1), (weight, i) => weight + (weights[i + 1] as number)).filter(
      (_, i) => i % CHANNELS < CHANNELS - 1,
    );
    expect(Math.max(...sums.map((sum) => Math.abs(sum) * 255))).toBeLessThanOrEqual(32767);
  });

  it('keeps chosen layers in float32, and says which range it misses', () => {
    const kept = int8(network(), {
      ranges: { 'first.relu6': [0, 6], second: [-12, 12] },
      heads: ['pooled'],
      keep: (name) => name === 'first',
    });
    expect(kept.constants.get('w1')?.type).toBe('float32');
    expect(() => int8(network(), { ranges: {}, heads: ['pooled'], keep: () => false })).toThrow('no range for Mul_2');
  });

  it('keeps weights alone in int8, to half a step of their own channel, and the rest as it was', async () => {
    const graph = network();
    const weights = int8Weights(graph, ({ name }) => name === 'w1');
    expect(weights.constants.get('w1')).toBe(graph.constants.get('w1'));
    expect(weights.constants.has('w2')).toBe(false);
    const steps = weights.constants.get('w2.int8');
    const scale = weights.constants.get('w2.scale');
    expect([steps?.type, steps?.dims, scale?.dims]).toEqual(['int8', [2, CHANNELS, 1, 1], [2, 1, 1, 1]]);
    const scales = new Float32Array(scale?.data.slice().buffer ?? new ArrayBuffer(0));
    const original = values(2 * CHANNELS);
    for (const [i, step] of [...new Int8Array(steps?.data.slice().buffer ?? new ArrayBuffer(0))].entries()) {
      const size = scales[Math.floor(i / CHANNELS)] as number;
      expect(Math.abs(step * size - (original[i] as number))).toBeLessThan(0.501 * size);
    }
    const difference = farthest(await run(graph), await run(weights));
    expect(difference).toBeGreaterThan(0);
    expect(difference).toBeLessThan(0.02);
  });

  it('gives the same bytes each time', () => {
    expect(encodeOnnx(network())).toEqual(encodeOnnx(network()));
  });
});

describe('hard swish', () => {
  it('becomes one gate and a product, and computes the same', async () => {
    const { add, floats, build } = graphBuilder();
    const pixels = add('Cast', [add('Transpose', ['image'], { perm: [0, 3, 1, 2] })], { to: 1 });
    const x = add('Sub', [add('Mul', [pixels, floats('scale', [], [0.05])]), floats('middle', [], [6])]);
    const clip = add('Clip', [
      add('Add', [x, floats('three', [], [3])]),
      floats('zero', [], [0]),
      floats('six', [], [6]),
    ]);
    add('GlobalAveragePool', [add('Mul', [add('Mul', [floats('sixth', [], [1 / 6]), x]), clip])], {}, 'pooled');
    const graph = build(
      'swish',
      [{ name: 'image', type: 'uint8', dims: ['N', SIDE, SIDE, 3] }],
      [{ name: 'pooled', type: 'float32', dims: ['N', 3, 1, 1] }],
    );
    const fused = fuseHardSwish(graph);
    expect(fused.nodes.map((node) => node.op)).toEqual([
      'Transpose',
      'Cast',
      'Mul',
      'Sub',
      'HardSigmoid',
      'Mul',
      'GlobalAveragePool',
    ]);
    expect(farthest(await run(graph), await run(fused))).toBeLessThan(1e-4);
  });
});
