/** How many photos (or pairs) one batch holds. Pure; memory in bytes comes in. */
import type { PackInput } from '../contract/pack.ts';

const share = 0.6;
const gib = 2 ** 30;
/** For packs that do not say what a sample costs: [more free than, batch]. */
const byFreeMemory: ReadonlyArray<readonly [number, number]> = [
  [12 * gib, 8],
  [8 * gib, 4],
  [4 * gib, 2],
];

/** The largest batch that memory allows, at least 1. */
export const batchCeiling = (input: PackInput, freeBytes: number): number => {
  if (input.baseBytes !== undefined && input.bytesPerSample !== undefined) {
    const fits = Math.floor((share * (freeBytes - input.baseBytes)) / input.bytesPerSample);
    return Math.max(1, Math.min(input.maxBatch, fits));
  }
  const [, batch] = byFreeMemory.find(([above]) => freeBytes > above) ?? [0, 1];
  const divisor = input.size >= 512 ? 4 : input.size >= 384 ? 2 : 1;
  return Math.max(1, Math.min(input.maxBatch, Math.floor(batch / divisor)));
};

/** Sizes that a batch is padded to, so that a device that prepares itself anew for every shape does so only for these. */
export const paddedSizes = (most: number): readonly number[] => {
  const powers = Array.from({ length: Math.ceil(Math.log2(most)) }, (_, i) => 2 ** i);
  return [...powers, most];
};

/** `most`: the pack's largest batch. On CPU every size runs as it is: padding would only add work. */
export const paddedSize = (n: number, onCpu: boolean, most: number): number =>
  onCpu ? n : (paddedSizes(most).find((size) => size >= n) ?? n);
