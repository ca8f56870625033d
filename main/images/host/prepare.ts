/** From bytes to what a model is sent: decode, prescreen, views. */
import type { DecodedInfo } from '../../contract/photo.ts';
import type { ImageLimits, PixelTarget } from '../protocol.ts';
import { decodePhoto } from './decode.ts';
import { readMetadata } from './exif.ts';
import { free } from './free.ts';
import { prescreenSide, screen } from './prescreen.ts';
import type { SharpModule } from './sharp.ts';
import { copyForViews, makeViews } from './views.ts';

/** What to make of a photo, within which bounds. */
export type Preparation = Pick<PixelTarget, 'views' | 'prescreen'> & Readonly<{ limits: ImageLimits }>;

export type PreparedPhoto = Readonly<{
  info: DecodedInfo;
  /** null: flat, so that no model need see it. */
  views: readonly Uint8Array[] | null;
}>;

export const preparePhoto = async (
  sharp: SharpModule,
  bytes: Uint8Array,
  format: string,
  readMs: number,
  wanted: Preparation,
): Promise<PreparedPhoto> => {
  const start = performance.now();
  const decoded = await decodePhoto(sharp, bytes, format, wanted.limits.maxPixels, (size) =>
    copyForViews(size, wanted.views, wanted.prescreen ? prescreenSide : null),
  );
  const { pixels, width, height, damaged, frames } = decoded;
  const metadata = await readMetadata(decoded.exif);
  const decodedAt = performance.now();
  const screened = wanted.prescreen ? await screen(sharp, pixels, Math.min(width, height), wanted.prescreen) : null;
  const screenedAt = performance.now();
  const views = screened?.prescreen.flat ? null : await makeViews(sharp, pixels, wanted.views);
  if (!views?.includes(pixels.data)) free(pixels.data);
  const info: DecodedInfo = {
    width,
    height,
    damaged,
    frames,
    ...metadata,
    prescreen: screened?.prescreen ?? null,
    perceptualHash: screened?.perceptualHash ?? null,
    timingMs: {
      read: readMs,
      decode: decodedAt - start,
      prescreen: screenedAt - decodedAt,
      views: performance.now() - screenedAt,
    },
  };
  return { info, views };
};
