/**
 * Reads a PyTorch state dictionary saved in the format before PyTorch 1.6: five pickles (magic number,
 * protocol, system, the dictionary, storage keys), then each storage's element count (int64) and values.
 * Only the pickle instructions that such a file uses are understood.
 */
export type TorchTensor = Readonly<{ dims: readonly number[]; values: Float32Array }>;

type Storage = { kind: string; key: string; values?: Float32Array };
type View = Readonly<{ storage: Storage; offset: number; dims: readonly number[]; strides: readonly number[] }>;
type Call = Readonly<{ callee: string; args: readonly unknown[] }>;

const MAGIC = 0x1950a86a20f9469cfc6cn;
const ELEMENT_BYTES: Readonly<Record<string, number>> = { 'torch FloatStorage': 4, 'torch LongStorage': 8 };

const MARK = Symbol('mark');

/** Runs one pickle from `start`; returns what it made and where it ended. */
function unpickle(bytes: Uint8Array, start: number, storages: Map<string, Storage>): { value: unknown; end: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const stack: unknown[] = [];
  const memo = new Map<number, unknown>();
  let at = start;

  const text = (length: number): string => {
    at += length;
    return new TextDecoder().decode(bytes.subarray(at - length, at));
  };
  const line = (): string => {
    const end = bytes.indexOf(10, at);
    const value = text(end - at);
    at += 1;
    return value;
  };
  const sinceMark = (): unknown[] => {
    const from = stack.lastIndexOf(MARK);
    const items = stack.splice(from + 1);
    stack.pop();
    return items;
  };
  const setItems = (pairs: readonly unknown[]): void => {
    const target = stack.at(-1);
    if (!(target instanceof Map)) throw new Error('pickle: SETITEMS on what is no dictionary');
    for (let i = 0; i < pairs.length; i += 2) target.set(pairs[i], pairs[i + 1]);
  };
  const persistent = (id: unknown): Storage => {
    const [tag, kind, key] = id as [string, string, string];
    if (tag !== 'storage') throw new Error(`pickle: persistent id ${tag}`);
    const known = storages.get(key) ?? { kind, key };
    storages.set(key, known);
    return known;
  };
  const call = (callee: string, args: readonly unknown[]): unknown => {
    if (callee === 'collections OrderedDict') return new Map();
    if (callee === 'torch._utils _rebuild_tensor_v2') {
      const [storage, offset, dims, strides] = args as [Storage, number, number[], number[]];
      return { storage, offset, dims, strides } satisfies View;
    }
    return { callee, args } satisfies Call;
  };
  const bigInteger = (length: number): bigint => {
    let value = 0n;
    for (let i = 0; i < length; i++) value |= BigInt(bytes[at + i] ?? 0) << BigInt(8 * i);
    at += length;
    return value;
  };

  const instructions: Readonly<Record<string, () => void>> = {
    '\x80': () => {
      at += 1;
    },
    '(': () => stack.push(MARK),
    ')': () => stack.push([]),
    '}': () => stack.push(new Map()),
    ']': () => stack.push([]),
    N: () => stack.push(null),
    '\x88': () => stack.push(true),
    '\x89': () => stack.push(false),
    K: () => stack.push(view.getUint8(at++)),
    M: () => {
      stack.push(view.getUint16(at, true));
      at += 2;
    },
    J: () => {
      stack.push(view.getInt32(at, true));
      at += 4;
    },
    '\x8a': () => {
      const length = view.getUint8(at++);
      stack.push(bigInteger(length));
    },
    X: () => {
      const length = view.getUint32(at, true);
      at += 4;
      stack.push(text(length));
    },
    c: () => stack.push(`${line()} ${line()}`),
    q: () => memo.set(view.getUint8(at++), stack.at(-1)),
    r: () => {
      memo.set(view.getUint32(at, true), stack.at(-1));
      at += 4;
    },
    h: () => stack.push(memo.get(view.getUint8(at++))),
    j: () => {
      stack.push(memo.get(view.getUint32(at, true)));
      at += 4;
    },
    t: () => stack.push(sinceMark()),
    '\x85': () => stack.push(stack.splice(-1)),
    '\x86': () => stack.push(stack.splice(-2)),
    '\x87': () => stack.push(stack.splice(-3)),
    e: () => {
      const items = sinceMark();
      (stack.at(-1) as unknown[]).push(...items);
    },
    a: () => {
      const item = stack.pop();
      (stack.at(-1) as unknown[]).push(item);
    },
    s: () => setItems(stack.splice(-2)),
    u: () => setItems(sinceMark()),
    Q: () => stack.push(persistent(stack.pop())),
    R: () => {
      const args = stack.pop() as unknown[];
      stack.push(call(stack.pop() as string, args));
    },
    b: () => {
      stack.pop();
    },
  };

  for (;;) {
    const code = String.fromCharCode(bytes[at++] ?? 0);
    if (code === '.') return { value: stack.pop(), end: at };
    const run = instructions[code];
    if (!run) throw new Error(`pickle: instruction 0x${code.charCodeAt(0).toString(16)} at ${at - 1}`);
    run();
  }
}

/** The elements of a strided view in row-major order. */
function gather(
  values: Float32Array,
  offset: number,
  dims: readonly number[],
  strides: readonly number[],
): Float32Array {
  let positions = [offset];
  dims.forEach((size, axis) => {
    const stride = strides[axis] as number;
    positions = positions.flatMap((start) => Array.from({ length: size }, (_, i) => start + i * stride));
  });
  return Float32Array.from(positions, (position) => values[position] as number);
}

/** Every float tensor by name; integer ones (batch norm's counters) are left out. Throws on any other format. */
export function readTorchCheckpoint(bytes: Uint8Array): ReadonlyMap<string, TorchTensor> {
  const storages = new Map<string, Storage>();
  let at = 0;
  const next = (): unknown => {
    const { value, end } = unpickle(bytes, at, storages);
    at = end;
    return value;
  };
  if (next() !== MAGIC) throw new Error('not a PyTorch checkpoint of the format before 1.6');
  next();
  next();
  const state = next() as Map<string, View>;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const key of next() as string[]) {
    const storage = storages.get(key);
    const size = storage && ELEMENT_BYTES[storage.kind];
    if (!storage || !size) throw new Error(`checkpoint: storage ${key} of kind ${storage?.kind}`);
    const length = Number(view.getBigInt64(at, true)) * size;
    at += 8;
    if (size === 4) storage.values = new Float32Array(Uint8Array.from(bytes.subarray(at, at + length)).buffer);
    at += length;
  }
  const tensors = new Map<string, TorchTensor>();
  for (const [name, { storage, offset, dims, strides }] of state) {
    if (storage.values) tensors.set(name, { dims, values: gather(storage.values, offset, dims, strides) });
  }
  return tensors;
}
