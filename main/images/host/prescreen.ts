/** Cheap checks before the model: is a photo too small, blurred or flat to say anything? */
import type { Prescreen, PrescreenThresholds } from '../../contract/photo.ts';
import { perceptualHashOf } from './perceptual-hash.ts';
import { greyOf, type Pixels } from './pixels.ts';
import type { SharpModule } from './sharp.ts';

/** Photos are measured at one scale: their long side shrunk to this many pixels, never enlarged. */
export const prescreenSide = 512;

const shrunkGrey = async (sharp: SharpModule, pixels: Pixels) => {
  const { width, height } = pixels;
  const grey = greyOf(pixels);
  const scale = prescreenSide / Math.max(width, height);
  if (scale >= 1) return { grey, width, height };
  const small = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const data = await sharp(grey, { raw: { width, height, channels: 1 } })
    .resize(small.width, small.height, { fit: 'fill', kernel: 'linear' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  return { grey: data, ...small };
};

/** Variance of the 4-neighbour Laplacian over all pixels that have four neighbours (Pech-Pacheco et al., 2000). */
export const laplacianVariance = (grey: Uint8Array, width: number, height: number): number => {
  let sum = 0;
  let squares = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1, end = i + width - 2; i < end; i++) {
      const value = grey[i - 1]! + grey[i + 1]! + grey[i - width]! + grey[i + width]! - 4 * grey[i]!;
      sum += value;
      squares += value * value;
    }
  }
  const n = Math.max(0, width - 2) * Math.max(0, height - 2);
  return n === 0 ? 0 : squares / n - (sum / n) ** 2;
};

/** Standard deviation of grey values, 0 to 127.5. */
export const greyDeviation = (grey: Uint8Array): number => {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < grey.length; i++) {
    const value = grey[i]!;
    sum += value;
    squares += value * value;
  }
  return Math.sqrt(Math.max(0, squares / grey.length - (sum / grey.length) ** 2));
};

export type Screened = Readonly<{ prescreen: Prescreen; perceptualHash: string | null }>;

/** Measures decoded pixels, and hashes them unless they are flat; `shortSide` is that of the photo itself. */
export const screen = async (
  sharp: SharpModule,
  pixels: Pixels,
  shortSide: number,
  thresholds: PrescreenThresholds,
): Promise<Screened> => {
  const start = performance.now();
  const small = await shrunkGrey(sharp, pixels);
  const sharpness = laplacianVariance(small.grey, small.width, small.height);
  const deviation = greyDeviation(small.grey);
  const flat = deviation < thresholds.flat;
  const perceptualHash = flat ? null : await perceptualHashOf(sharp, small.grey, small.width, small.height);
  return {
    prescreen: {
      sharpness,
      deviation,
      blurred: sharpness < thresholds.blur,
      flat,
      small: shortSide < thresholds.small,
      ms: performance.now() - start,
    },
    perceptualHash,
  };
};
