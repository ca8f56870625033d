/** Previews: what a person sees of a photo, the same pixels that the model saw. */
import type { Sharp } from 'sharp';
import { replaceBy } from '../../files/write-whole.ts';
import type { ImageLimits } from '../protocol.ts';
import { decodePhoto, shrunkBy } from './decode.ts';
import { detectFormat } from './format.ts';
import type { Pixels } from './pixels.ts';
import { readPhotoFile } from './read-file.ts';
import type { SharpModule } from './sharp.ts';

/** Effort 0 halves the time of a large preview for a file a tenth larger. */
const webp = { 256: { quality: 75, effort: 2 }, 2048: { quality: 82, effort: 0 } } as const;

/** Writes an upright sRGB WebP with a long side of at most `size` pixels, whole or not at all. */
export const writePreview = async (
  sharp: SharpModule,
  path: string,
  size: 256 | 2048,
  out: string,
  limits: ImageLimits,
): Promise<Readonly<{ width: number; height: number }>> => {
  const { bytes } = readPhotoFile(path, limits.maxBytes);
  const format = await detectFormat(bytes);
  const { pixels } = await decodePhoto(sharp, bytes, format, limits.maxPixels, (photo) =>
    shrunkBy(size / Math.max(photo.width, photo.height), photo),
  );
  await replaceBy(out, (file) => opened(sharp, pixels).webp(webp[size]).toFile(file));
  return { width: pixels.width, height: pixels.height };
};

export const opened = (sharp: SharpModule, { data, width, height }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels: 3 } });
