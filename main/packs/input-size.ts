/** Which input size a pack judges at. Pure. */
import type { PackManifest } from '../contract/pack.ts';

/** Pixels, as the pack's manifest names them; `auto`: the pack's first. */
export type InputSize = number | 'auto';

/**
 * The size to judge at, then what memory pressure may step down to, the largest first. A size that was asked for is
 * never changed and stands alone; empty where the pack lacks it.
 */
export const inputSizes = ({ inputs }: PackManifest, wanted: InputSize): readonly number[] => {
  const sizes = inputs.map(({ size }) => size);
  if (wanted !== 'auto') return sizes.filter((size) => size === wanted).slice(0, 1);
  return sizes.filter((size) => size <= sizes[0]!).toSorted((a, b) => b - a);
};
