/**
 * Camera raw files: cameras write a finished JPEG into them for their own screen, and that is what Vouch judges. It is
 * found by its bytes, so that one search serves every maker's container and no file of a new model is unknown.
 */
import { pictureContent } from './content.ts';
import { exifOrientation } from './orientation.ts';
import { tiffDirectory } from './tiff.ts';

export type RawPreview = Readonly<{
  /** From its start mark to its end mark. */
  jpeg: Uint8Array;
  width: number;
  height: number;
  orientation: number;
}>;

const tag = { newSubfileType: 0xfe, photometric: 0x106, make: 0x10f, subDirectories: 0x14a } as const;
const colourFilterArray = 32_803;
const linearRaw = 34_892;

/** Whether a TIFF is a raw file that bears no mark of its maker's format: its first picture is a reduced one. */
export const isRawTiff = (bytes: Uint8Array): boolean => {
  const first = tiffDirectory(bytes);
  if (!first?.has(tag.make)) return false;
  const photometric = first.number(tag.photometric);
  return (
    photometric === colourFilterArray ||
    photometric === linearRaw ||
    (first.number(tag.newSubfileType) === 1 && first.has(tag.subDirectories))
  );
};

const startMark = Buffer.from([0xff, 0xd8, 0xff]);

/** Frame headers of what decoders of 8 bits read: baseline, extended, progressive. Lossless ones hold the sensor's data. */
const isReadableFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2;
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Width and height of the JPEG that starts at `start`; null where none does that can be read. */
const frameAt = (bytes: Uint8Array, start: number): Readonly<{ width: number; height: number }> | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = start + 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (marker < 0xc0 || marker === 0xd8 || marker === 0xda || length < 2) return null;
    if (isFrame(marker)) {
      const size = { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
      return isReadableFrame(marker) && bytes[at + 4] === 8 && size.width > 0 && size.height > 0 ? size : null;
    }
    at += 2 + length;
  }
  return null;
};

/** The orientation that the container states: of a TIFF-like one, or of the TIFF block in an ISO one (CR3). */
const containerOrientation = (bytes: Uint8Array): number => {
  const block = isoBlock(bytes, 'CMT1');
  return exifOrientation(block ?? bytes);
};

const isoHeadBytes = 64 * 1024;

/** Canon's CR3 keeps its EXIF directories apart, each a TIFF block of its own. */
export const isoBlock = (bytes: Uint8Array, name: 'CMT1' | 'CMT2' | 'CMT4'): Uint8Array | null => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, isoHeadBytes));
  if (head.toString('latin1', 4, 8) !== 'ftyp') return null;
  const at = head.indexOf(name, 0, 'latin1');
  return at < 4 ? null : bytes.subarray(at + 4, at - 4 + head.readUInt32BE(at - 4));
};

/** The largest JPEG in a raw file, null where it holds none. Its own orientation, where it has one, goes first. */
export const rawPreview = (bytes: Uint8Array): RawPreview | null => {
  const search = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let best: Readonly<{ at: number; width: number; height: number }> | null = null;
  for (let at = search.indexOf(startMark); at >= 0; at = search.indexOf(startMark, at + 2)) {
    const size = frameAt(bytes, at);
    if (size && (!best || size.width * size.height > best.width * best.height)) best = { at, ...size };
  }
  if (!best) return null;
  const rest = bytes.subarray(best.at);
  const { spans, orientation } = pictureContent(rest, 'jpeg');
  const jpeg = rest.subarray(0, spans.at(-1)?.[1]);
  return {
    jpeg,
    width: best.width,
    height: best.height,
    orientation: orientation === 1 ? containerOrientation(bytes) : orientation,
  };
};
