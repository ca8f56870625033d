/** The first directory of a TIFF header, such as EXIF blocks and camera raw files begin with; TIFF 6.0, section 2. */

export type TiffDirectory = Readonly<{
  /** The first number of a SHORT or LONG tag; undefined where the tag is absent. */
  number: (tag: number) => number | undefined;
  /** An ASCII tag without its closing zero; undefined where absent or outside the bytes. */
  text: (tag: number) => string | undefined;
  has: (tag: number) => boolean;
}>;

/** null unless the bytes begin like a TIFF file; whatever magic number follows the byte order is let pass. */
export const tiffDirectory = (tiff: Uint8Array): TiffDirectory | null => {
  if (tiff.length < 14) return null;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const little = view.getUint16(0) === 0x4949;
  if (!little && view.getUint16(0) !== 0x4d4d) return null;
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

const [compression, photometric] = [0x103, 0x106];
const ycbcr = 6;
const jpeg = 7;

/** Whether a TIFF's samples are luma and chroma, which libvips takes for RGB unless JPEG coding holds them. */
export const hasUnreadColours = (tiff: Uint8Array): boolean => {
  const first = tiffDirectory(tiff);
  return first?.number(photometric) === ycbcr && first.number(compression) !== jpeg;
};
