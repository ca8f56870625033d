/** From a file's bytes to upright sRGB pixels: the first frame only, shrunk while decoding as far as the caller allows. */
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { rawFormats } from '../../contract/photo.ts';
import type { Resampling } from '../../contract/seam.ts';
import { decodeBmp } from './bmp.ts';
import { pictureContent } from './content.ts';
import { checkPixels, decodeReason, PhotoError } from './failure.ts';
import { decodeHeic } from './heic.ts';
import { asStill, unreadableCodec } from './heif.ts';
import { jpegHeader } from './jpeg.ts';
import { mendedHeaders } from './mended.ts';
import { isSideways, turnOf } from './orientation.ts';
import { type Pixels, turned } from './pixels.ts';
import { withProfile } from './profile.ts';
import { rawPreview } from './raw.ts';
import type { SharpModule } from './sharp.ts';
import { unreadableTiff } from './tiff.ts';
import { fullPage } from './tiff-pages.ts';
import { completedWebp } from './webp.ts';

export type Decoded = Readonly<{
  pixels: Pixels;
  /** Of the whole photo, upright. */
  width: number;
  height: number;
  /** Part of the file could not be read; the pixels hold what could. */
  damaged: boolean;
  frames: number;
  exif: Uint8Array | undefined;
}>;

type Source = Readonly<{
  open: (failOn: SharpOptions['failOn']) => Sharp;
  /** As `open`, of a copy without anything odd in its headers; null where there is no such copy. */
  openMended?: () => Sharp | null;
  width: number;
  height: number;
  /** False where opening it already showed that part of the file is missing. */
  whole: boolean;
  /** Whether it has channels beyond colour and opacity (spot colours, masks): those cannot be laid on a background. */
  extraChannels: boolean;
  /** EXIF orientation that is still to be applied. */
  orientation: number;
  frames: number;
  exif: Uint8Array | undefined;
}>;

/** Transparent pixels show as mid-grey, where neither a black nor a white drawing vanishes, to model and person alike. */
const background = '#808080';

/** Complaints about a file whose pixels are nevertheless all there. */
const harmless = /JFIF revision|iCCP/;
const isHarmless = (error: unknown): boolean =>
  error instanceof Error && error.message.split('\n').every((line) => harmless.test(line));

const undecodable = (format: string, error: unknown): PhotoError =>
  error instanceof PhotoError ? error : new PhotoError(decodeReason(format, error));

const orientationOf = (bytes: Uint8Array, format: string, { orientation = 1 }: Header): number => {
  if (format === 'jpeg' || format === 'png') return pictureContent(bytes, format).orientation;
  // AVIF is turned by its decoder; its EXIF orientation is to be ignored (ISO/IEC 23008-12, A.4).
  return format === 'avif' || format === 'heic' ? 1 : orientation;
};

/** Image editors keep up to 56 channels. */
const options = { limitInputPixels: false, limitInputChannels: 64 } as const;

/** Only where another page than the first is wanted: of an AVIF, the first is not always the one to show. */
const paged = (page: number): Readonly<{ page?: number }> => (page > 0 ? { page } : {});

type Size = Readonly<{ width: number; height: number }>;

type Header = Pick<Source, 'width' | 'height' | 'extraChannels' | 'frames' | 'exif'> & Pick<Metadata, 'orientation'>;

/**
 * A JPEG's is read here: for a small one, asking sharp takes a tenth as long as decoding it. One with too many pixels
 * is left to sharp, which knows whether it is a picture at all.
 */
const readHeader = async (
  sharp: SharpModule,
  bytes: Uint8Array,
  format: string,
  maxPixels: number,
  page: number,
): Promise<Header> => {
  const jpeg = format === 'jpeg' ? jpegHeader(bytes) : null;
  if (jpeg && jpeg.width * jpeg.height <= maxPixels) return { ...jpeg, extraChannels: false, frames: 1 };
  const { channels, pages, ...metadata } = await sharp(bytes, {
    ...options,
    ...paged(page),
    failOn: 'none',
  }).metadata();
  return { ...metadata, exif: metadata.exif, extraChannels: channels > 4, frames: pages ?? 1 };
};

/** The upright size at which a photo is wanted, and the filter that brings it there. */
export type Copy = Size & Readonly<{ kernel: Resampling }>;

/**
 * At `scale` (at most 1) of its size, by a filter that keeps what that can hold. Views are resampled from this copy
 * once more: where both filters are soft, what a model sees is softer than what it was fitted on, and two files of one
 * picture are judged less alike.
 */
export const shrunkBy = (scale: number, { width, height }: Size): Copy => ({
  width: Math.max(1, Math.round(width * Math.min(1, scale))),
  height: Math.max(1, Math.round(height * Math.min(1, scale))),
  kernel: 'lanczos3',
});

const openBmp = (sharp: SharpModule, bytes: Uint8Array, maxPixels: number): Source => {
  const { data, width, height, whole } = decodeBmp(bytes, maxPixels);
  const open = () => sharp(data, { ...options, raw: { width, height, channels: 3 } });
  return { open, width, height, whole, extraChannels: false, orientation: 1, frames: 1, exif: undefined };
};

/** null where the pictures are coded as in AVIF, which sharp decodes. */
const openHeic = async (sharp: SharpModule, bytes: Uint8Array, maxPixels: number): Promise<Source | null> => {
  const codec = unreadableCodec(bytes);
  if (codec) throw new PhotoError({ code: 'unsupported_format', params: { format: `heif with ${codec} coding` } });
  const metadata = await sharp(bytes, { ...options, failOn: 'none' })
    .metadata()
    .catch(() => undefined);
  if (metadata?.compression === 'av1') return null;
  const { data, width, height, images } = await decodeHeic(bytes, maxPixels);
  const raw = { width, height, channels: 4 } as const;
  const profiled = metadata?.icc && (await withProfile(sharp(data, { ...options, raw }), metadata.icc));
  const open = () => (profiled ? sharp(profiled, options) : sharp(data, { ...options, raw }));
  const frames = metadata?.pages ?? images;
  const { exif } = metadata ?? {};
  return { open, width, height, whole: true, extraChannels: false, orientation: 1, frames, exif };
};

/** The largest picture that a camera raw file holds ready made. Its maker's container says when and with what. */
const openRaw = async (sharp: SharpModule, bytes: Uint8Array, format: string, maxPixels: number): Promise<Source> => {
  const preview = rawPreview(bytes);
  if (!preview) throw new PhotoError({ code: 'unsupported_format', params: { format: `${format} without a preview` } });
  const source = await openSource(sharp, preview.jpeg, 'jpeg', maxPixels);
  return { ...source, orientation: preview.orientation, exif: format === 'raf' ? source.exif : bytes };
};

/** What the decoder is given: it stumbles over image sequences, and over WebP files that were cut off. */
const stillOf = (bytes: Uint8Array, format: string): Readonly<{ bytes: Uint8Array; whole: boolean }> => {
  if (format === 'webp') return completedWebp(bytes);
  return { bytes: format === 'avif' ? asStill(bytes) : bytes, whole: true };
};

/** Reads the header, and refuses a photo with too many pixels before any are decoded. */
const openSource = async (
  sharp: SharpModule,
  bytes: Uint8Array,
  format: string,
  maxPixels: number,
): Promise<Source> => {
  if (format === 'bmp') return openBmp(sharp, bytes, maxPixels);
  if (rawFormats.has(format)) return openRaw(sharp, bytes, format, maxPixels);
  const heic = format === 'heic' ? await openHeic(sharp, bytes, maxPixels) : null;
  if (heic) return heic;
  const unread = format === 'tiff' ? unreadableTiff(bytes) : null;
  if (unread) throw new PhotoError({ code: 'unsupported_format', params: { format: `tiff ${unread}` } });
  const still = stillOf(bytes, format);
  const page = format === 'tiff' ? (fullPage(bytes)?.index ?? 0) : 0;
  const header = await readHeader(sharp, still.bytes, format, maxPixels, page);
  const { width, height, extraChannels, frames } = header;
  checkPixels(width, height, maxPixels);
  return {
    open: (failOn) => sharp(still.bytes, { ...options, ...paged(page), failOn }),
    openMended: () => {
      const mended = mendedHeaders(still.bytes, format);
      return mended && sharp(mended, { ...options, failOn: 'warning' });
    },
    width,
    height,
    whole: still.whole,
    extraChannels,
    orientation: orientationOf(bytes, format, header),
    frames,
    exif: format === 'tiff' ? bytes : header.exif,
  };
};

/** Decodes strictly, and where that fails as far as the file goes. `copy`: as the photo is stored, not yet turned. */
const readPixels = async (
  source: Source,
  { width, height, kernel }: Copy,
): Promise<Readonly<{ pixels: Pixels; damaged: boolean }>> => {
  const asStored = width === source.width && height === source.height;
  const read = async (opened: Sharp): Promise<Pixels> => {
    const sized = asStored ? opened : opened.resize(width, height, { fit: 'fill', kernel });
    const { data, info } = await (source.extraChannels ? sized.removeAlpha() : sized.flatten({ background }))
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3) throw new Error(`${info.channels} channels where 3 were expected`);
    return { data, width: info.width, height: info.height };
  };
  try {
    return { pixels: await read(source.open('warning')), damaged: !source.whole };
  } catch (error) {
    // Read with no complaint it would show nothing, as if that were the picture.
    if (decodeReason('', error).code === 'unsupported_format') throw error;
    const mended = source.openMended?.();
    // A strict decoder stops at the first oddity of a header, and would not tell of missing pixels after it.
    const again = mended && (await read(mended).catch(() => null));
    if (again) return { pixels: again, damaged: !source.whole };
    return { pixels: await read(source.open('none')), damaged: !isHarmless(error) };
  }
};

/**
 * `copyFor` gets the photo's upright size and says what copy of it is wanted.
 * Throws a PhotoError: over the limit of pixels (before decoding), or undecodable.
 */
export const decodePhoto = async (
  sharp: SharpModule,
  bytes: Uint8Array,
  format: string,
  maxPixels: number,
  copyFor: (size: Size) => Copy,
): Promise<Decoded> => {
  try {
    const source = await openSource(sharp, bytes, format, maxPixels);
    const { width, height, frames, exif } = source;
    const turn = turnOf(source.orientation);
    const turnedBack = <S extends Size>(size: S): S =>
      isSideways(turn) ? { ...size, width: size.height, height: size.width } : size;
    const upright = turnedBack({ width, height });
    const { pixels, damaged } = await readPixels(source, turnedBack(copyFor(upright)));
    return { pixels: turned(pixels, turn), ...upright, damaged, frames, exif };
  } catch (error) {
    throw undecodable(format, error);
  }
};
