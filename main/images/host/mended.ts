/**
 * A picture's bytes with everything put right that no pixel depends on, so that a strict decoder complains of pixels
 * alone: odd fields in a JPEG's headers, and in a TIFF every tag that only describes.
 */
import { jpegSegments, startsWith } from './jpeg.ts';
import { fullPage } from './tiff-pages.ts';

/** SOF0 and SOF1: every scan holds whole blocks, whatever its header says of a spectral range. */
const isSequential = (marker: number): boolean => marker === 0xc0 || marker === 0xc1;
const [startOfScan, app0, app14] = [0xda, 0xe0, 0xee];
const knownTransforms = 2;

type Patch = Readonly<{ at: number; byte: number }>;

/** A scan's spectral range is the whole block, and no bit is left for another scan. */
const scanPatches = (bytes: Uint8Array, body: number): readonly Patch[] => {
  const at = body + 1 + 2 * (bytes[body] ?? 0);
  return [
    { at, byte: 0 },
    { at: at + 1, byte: 63 },
    { at: at + 2, byte: 0 },
  ];
};

/** What decoders take an unknown transform for: YCCK where there are four components, else YCbCr. */
const transformPatch = (bytes: Uint8Array, body: number, components: number): readonly Patch[] => {
  const at = body + 11;
  return startsWith(bytes, body, 'Adobe') && (bytes[at] ?? 0) > knownTransforms
    ? [{ at, byte: components === 4 ? 2 : 1 }]
    : [];
};

const jpegPatches = (bytes: Uint8Array): readonly Patch[] => {
  const patches: Patch[] = [];
  let sequential = false;
  let adobe: number | undefined;
  for (const { marker, body, end } of jpegSegments(bytes)) {
    if (marker === app0 && startsWith(bytes, body, 'JFIF\0') && end > body + 6) patches.push({ at: body + 5, byte: 1 });
    if (marker === app14) adobe ??= body;
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      sequential = isSequential(marker);
      if (adobe !== undefined) patches.push(...transformPatch(bytes, adobe, bytes[body + 5] ?? 3));
    }
    if (marker === startOfScan && sequential) patches.push(...scanPatches(bytes, body));
  }
  return patches.filter(({ at, byte }) => at < bytes.length && bytes[at] !== byte);
};

const mendedJpeg = (bytes: Uint8Array): Uint8Array | null => {
  const patches = jpegPatches(bytes);
  if (patches.length === 0) return null;
  const mended = bytes.slice();
  for (const { at, byte } of patches) mended[at] = byte;
  return mended;
};

/** A copy of the bytes; null where there is nothing to mend. */
export const mendedHeaders = (bytes: Uint8Array, format: string): Uint8Array | null => {
  if (format === 'jpeg') return mendedJpeg(bytes);
  return format === 'tiff' ? (fullPage(bytes)?.alone() ?? null) : null;
};
