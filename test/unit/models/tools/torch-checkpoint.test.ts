import { describe, expect, it } from 'vitest';
import { readTorchCheckpoint } from '../../../../models/tools/convert/torch-checkpoint.ts';

const bytes = (...parts: readonly (string | number | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(typeof part === 'number' ? [part] : part),
    ),
  );
const unicode = (value: string): Buffer => bytes('X', [value.length, 0, 0, 0], value);

/** A state dictionary with one 2 x 3 tensor that is a transposed view of its storage, as PyTorch 1.5 wrote it. */
function checkpoint(): Uint8Array {
  const magic = bytes([0x80, 2, 0x8a, 10], [0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19], '.');
  const protocol = bytes([0x80, 2], 'M', [0xe9, 3], '.');
  const system = bytes([0x80, 2], '}.');
  const storage = Buffer.concat([
    bytes('('),
    unicode('storage'),
    bytes('ctorch\nFloatStorage\n'),
    unicode('7'),
    unicode('cpu'),
    bytes('K', 7, 'NtQ'),
  ]);
  const state = Buffer.concat([
    bytes([0x80, 2], 'ccollections\nOrderedDict\n)R('),
    unicode('layer.weight'),
    bytes('ctorch._utils\n_rebuild_tensor_v2\n(('),
    storage.subarray(1),
    // Offset 1, 2 x 3, strides 1 and 2: row-major order is not storage order.
    bytes('K', 1, 'K', 2, 'K', 3, 0x86, 'K', 1, 'K', 2, 0x86, [0x89], ')tRu.'),
  ]);
  const keys = Buffer.concat([bytes([0x80, 2], ']('), unicode('7'), bytes('e.')]);
  const length = Buffer.from(BigInt64Array.of(7n).buffer);
  const values = Buffer.from(Float32Array.of(9, 1, 2, 3, 4, 5, 6).buffer);
  return Buffer.concat([magic, protocol, system, state, keys, length, values]);
}

describe('PyTorch checkpoints', () => {
  it('reads a strided view in row-major order', () => {
    const tensor = readTorchCheckpoint(checkpoint()).get('layer.weight');
    expect(tensor?.dims).toEqual([2, 3]);
    expect(tensor?.values).toEqual(Float32Array.of(1, 3, 5, 2, 4, 6));
  });

  it('refuses another format and an unknown instruction', () => {
    expect(() => readTorchCheckpoint(bytes([0x80, 2], 'K', 1, '.'))).toThrow('not a PyTorch checkpoint');
    expect(() => readTorchCheckpoint(bytes([0x80, 2], '!'))).toThrow('instruction 0x21');
  });
});
