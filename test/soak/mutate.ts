/** Breaks files in the ways that disks, cables and hostile people do; the same seed breaks them the same way. */

export const mutations = ['truncate', 'flip', 'header', 'zero', 'cut', 'repeat'] as const;
export type Mutation = (typeof mutations)[number];

/** Numbers in [0, 1): mulberry32, by Tommy Ettinger (public domain). */
export const random = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Changed bytes: a few anywhere, or a few among the first 64, where formats keep sizes and offsets. */
const scatter = (bytes: Uint8Array, within: number, chance: () => number): Uint8Array => {
  const out = Uint8Array.from(bytes);
  const times = 1 + Math.floor(chance() * 12);
  for (let i = 0; i < times; i++) out[Math.floor(chance() * Math.min(within, out.length))] = Math.floor(chance() * 256);
  return out;
};

export const mutate = (bytes: Uint8Array, kind: Mutation, chance: () => number): Uint8Array => {
  const a = Math.floor(chance() * bytes.length);
  const b = a + Math.floor(chance() * (bytes.length - a));
  switch (kind) {
    case 'truncate':
      return bytes.subarray(0, a);
    case 'flip':
      return scatter(bytes, bytes.length, chance);
    case 'header':
      return scatter(bytes, 64, chance);
    case 'zero':
      return Uint8Array.from(bytes).fill(0, a, b);
    case 'cut':
      return Buffer.concat([bytes.subarray(0, a), bytes.subarray(b)]);
    case 'repeat':
      return Buffer.concat([bytes.subarray(0, b), bytes.subarray(a)]);
  }
};
