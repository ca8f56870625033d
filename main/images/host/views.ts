/** The pictures that a model wants of a photo, made from one decoded copy. */
import type { Resampling, ViewSpec } from '../../contract/seam.ts';
import { type Copy, shrunkBy } from './decode.ts';
import type { Pixels } from './pixels.ts';
import { resample } from './resample.ts';
import type { SharpModule } from './sharp.ts';

/**
 * A triangle filter, widened when shrinking: what torchvision and Pillow call antialiased bilinear, and half the cost
 * of Lanczos when enlarging.
 */
const usual: Resampling = 'linear';

const defaultPad = 128;

type Size = Readonly<{ width: number; height: number }>;
type Region = Size & Readonly<{ left: number; top: number }>;

/** The part of a photo that a view shows. */
export const regionOf = (photo: Size, view: ViewSpec): Region => {
  if (view.fit !== 'cover') return { left: 0, top: 0, ...photo };
  const scale = Math.min(photo.width / view.width, photo.height / view.height) * (view.crop ?? 1);
  const width = Math.min(photo.width, Math.max(1, Math.round(view.width * scale)));
  const height = Math.min(photo.height, Math.max(1, Math.round(view.height * scale)));
  return { left: (photo.width - width) >> 1, top: (photo.height - height) >> 1, width, height };
};

/** The size at which a view shows its region; smaller than the view only where that is padded. */
const sizeOf = (region: Size, view: ViewSpec): Size => {
  if (view.fit !== 'contain') return { width: view.width, height: view.height };
  const scale = Math.min(view.width / region.width, view.height / region.height);
  return {
    width: Math.min(view.width, Math.max(1, Math.round(region.width * scale))),
    height: Math.min(view.height, Math.max(1, Math.round(region.height * scale))),
  };
};

/** The smallest scale, at most 1, at which a copy of the photo serves every view without being enlarged for it. */
export const scaleForViews = (photo: Size, views: readonly ViewSpec[]): number => {
  const scales = views.map((view) => {
    const region = regionOf(photo, view);
    const size = sizeOf(region, view);
    return Math.max(size.width / region.width, size.height / region.height);
  });
  return Math.min(1, Math.max(...scales, 0));
};

/**
 * What photo to decode for the views. A copy that somebody measures too has a long side of `measuredSide` pixels or
 * more; a single view of the whole photo that nobody measures is decoded at its own size, and not resampled twice. A
 * view that wants the full size gets it.
 */
export const copyForViews = (photo: Size, views: readonly ViewSpec[], measuredSide: number | null): Copy => {
  if (views.some(({ fullSize }) => fullSize)) return shrunkBy(1, photo);
  const [only, ...others] = views;
  if (only && others.length === 0 && only.fit !== 'cover' && measuredSide === null) {
    return { ...sizeOf(photo, only), kernel: only.filter ?? usual };
  }
  const measured = (measuredSide ?? 0) / Math.max(photo.width, photo.height);
  return shrunkBy(Math.max(scaleForViews(photo, views), measured), photo);
};

const padded = (data: Uint8Array, size: Size, view: ViewSpec): Uint8Array => {
  if (size.width === view.width && size.height === view.height) return data;
  const out = new Uint8Array(view.width * view.height * 3).fill(view.pad ?? defaultPad);
  for (let y = 0; y < size.height; y++) {
    out.set(data.subarray(y * size.width * 3, (y + 1) * size.width * 3), y * view.width * 3);
  }
  return out;
};

/** The side that limits gets its size to the pixel, the other what is left of its fraction: as transformers' processors do. */
const coveredExactly = (pixels: Pixels, { width, height, crop = 1, filter = usual }: ViewSpec): Uint8Array => {
  const least = { width: Math.round(width / crop), height: Math.round(height / crop) };
  const byWidth = least.width / pixels.width >= least.height / pixels.height;
  const to = byWidth
    ? { ...least, height: Math.max(height, Math.trunc((least.width * pixels.height) / pixels.width)) }
    : { ...least, width: Math.max(width, Math.trunc((least.height * pixels.width) / pixels.height)) };
  const left = (to.width - width) >> 1;
  const top = (to.height - height) >> 1;
  return resample(pixels, to, { left, top, width, height }, filter);
};

const makeExactView = (pixels: Pixels, view: ViewSpec): Uint8Array => {
  if (view.fit === 'cover') return coveredExactly(pixels, view);
  const size = sizeOf(pixels, view);
  return padded(resample(pixels, size, { left: 0, top: 0, ...size }, view.filter ?? usual), size, view);
};

const makeView = async (sharp: SharpModule, pixels: Pixels, view: ViewSpec): Promise<Uint8Array> => {
  if (view.fullSize) return makeExactView(pixels, view);
  const { width, height } = pixels;
  const region = regionOf(pixels, view);
  const size = sizeOf(region, view);
  const whole = region.width === width && region.height === height;
  if (whole && size.width === width && size.height === height) return padded(pixels.data, size, view);
  const source = sharp(pixels.data, { raw: { width, height, channels: 3 } });
  const data = await (whole ? source : source.extract(region))
    .resize(size.width, size.height, { fit: 'fill', kernel: view.filter ?? usual })
    .raw()
    .toBuffer();
  return padded(data, size, view);
};

/** uint8 sRGB, HWC, in the order of `views`. */
export const makeViews = (
  sharp: SharpModule,
  pixels: Pixels,
  views: readonly ViewSpec[],
): Promise<readonly Uint8Array[]> => Promise.all(views.map((view) => makeView(sharp, pixels, view)));
