/** The first directory of a TIFF header, such as EXIF blocks and camera raw files begin with; TIFF 6.0, section 2. */

export type TiffDirectory = Readonly<{
  /** The first number of a SHORT or LONG tag; undefined where the tag is absent. */
  number: (tag: number) => number | undefined;
  /** An ASCII tag without its closing zero; undefined where absent or outside the bytes. */
  text: (tag: number) => string | undefined;
  has: (tag: number) => boolean;
}>;

/** Its directory is of another shape, with wider numbers. */
const bigTiff = 43;

/** null unless the bytes begin like a TIFF file; other magic numbers than 42 after the byte order are let pass. */
export const tiffDirectory = (tiff: Uint8Array): TiffDirectory | null => {
  if (tiff.length < 14) return null;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const little = view.getUint16(0) === 0x4949;
  if (!little && view.getUint16(0) !== 0x4d4d) return null;
  if (view.getUint16(2, little) === bigTiff) return null;
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.length) return null;
  const entries = new Map<number, number>();
  const count = view.getUint16(directory, little);
  for (let i = 0, at = directory + 2; i < count && at + 12 <= tiff.length; i++, at += 12) {
    const tag = view.getUint16(at, little);
    if (!entries.has(tag)) entries.set(tag, at);
  }
  return {
    has: (tag) => entries.has(tag),
    number: (tag) => {
      const at = entries.get(tag);
      if (at === undefined) return undefined;
      return view.getUint16(at + 2, little) === 4 ? view.getUint32(at + 8, little) : view.getUint16(at + 8, little);
    },
    text: (tag) => {
      const at = entries.get(tag);
      if (at === undefined || view.getUint16(at + 2, little) !== 2) return undefined;
      const bytes = view.getUint32(at + 4, little);
      const from = bytes <= 4 ? at + 8 : view.getUint32(at + 8, little);
      if (from + bytes > tiff.length) return undefined;
      const ends = tiff.subarray(from, from + bytes).indexOf(0);
      return Buffer.from(tiff.buffer, tiff.byteOffset + from, ends < 0 ? bytes : ends).toString('latin1');
    },
  };
};

const [compression, photometric, ycbcr, jpeg] = [0x103, 0x106, 6, 7];

/** Plain, fax (2 to 4), LZW, JPEG, Deflate by both numbers, NeXT, PackBits, ThunderScan, LogLuv by both numbers, WebP. */
const readableCodings = new Set([1, 2, 3, 4, 5, jpeg, 8, 32_946, 32_766, 32_773, 32_809, 34_676, 34_677, 50_001]);
const codingNames: Readonly<Record<number, string>> = {
  6: 'old-style JPEG',
  34712: 'JPEG 2000',
  34925: 'LZMA',
  50000: 'ZSTD',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
};

/**
 * How a TIFF's samples are kept, where libvips cannot read that or takes luma and chroma for RGB; else null. Told before
 * decoding: what libvips says of one photo may be lost to another one that is decoded beside it.
 */
export const unreadableTiff = (tiff: Uint8Array): string | null => {
  const first = tiffDirectory(tiff);
  const coding = first?.number(compression) ?? 1;
  if (!readableCodings.has(coding)) {
    return codingNames[coding] ? `with ${codingNames[coding]} coding` : `with coding ${coding}`;
  }
  return first?.number(photometric) === ycbcr && coding !== jpeg ? 'with YCbCr samples' : null;
};
