/**
 * Which bytes of a file are its picture and which are metadata, found without decoding. The parsers read whatever they
 * are given: past the first fault in the structure, all bytes count as picture.
 */
import { endOfImage, isExif, jpegSegments, startsWith } from './jpeg.ts';
import { exifOrientation } from './orientation.ts';

export type Content = Readonly<{
  /** Spans of the bytes that make up the picture, in order; [start, end). */
  spans: readonly (readonly [start: number, end: number])[];
  /** EXIF orientation, 1 to 8. */
  orientation: number;
}>;

const isMetadata = (bytes: Uint8Array, marker: number, body: number): boolean => {
  if (marker === 0xfe) return true;
  if (marker === 0xe2) return !startsWith(bytes, body, 'ICC_PROFILE\0');
  if (marker === 0xee) return !startsWith(bytes, body, 'Adobe');
  return marker >= 0xe0 && marker <= 0xef;
};

/** What follows the end marker (a phone's clip, a second picture) is no part of the picture. */
const jpegContent = (bytes: Uint8Array): Content => {
  const spans: [number, number][] = [];
  let orientation = 1;
  let from = 0;
  for (const segment of jpegSegments(bytes)) {
    const { marker, start, body, end } = segment;
    if (marker === endOfImage) {
      spans.push([from, end]);
      return { spans, orientation };
    }
    if (!isMetadata(bytes, marker, body)) continue;
    if (start > from) spans.push([from, start]);
    from = end;
    if (orientation === 1 && isExif(bytes, segment)) orientation = exifOrientation(bytes.subarray(body + 6, end));
  }
  if (from < bytes.length) spans.push([from, bytes.length]);
  return { spans, orientation };
};

/** Chunks that change how pixels look though a decoder may skip them; PNG, third edition, 11.3. */
const pngColourChunks = new Set(['tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI']);

const pngContent = (bytes: Uint8Array): Content => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const spans: [number, number][] = [[0, Math.min(8, bytes.length)]];
  let orientation = 1;
  let at = 8;
  while (at + 12 <= bytes.length) {
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length) break;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const critical = (bytes[at + 4]! & 0x20) === 0;
    if (critical || pngColourChunks.has(type)) spans.push([at, end]);
    else if (type === 'eXIf') orientation = exifOrientation(bytes.subarray(at + 8, end - 4));
    at = end;
    if (type === 'IEND') return { spans, orientation };
  }
  if (at < bytes.length) spans.push([at, bytes.length]);
  return { spans, orientation };
};

/** Formats other than JPEG and PNG count whole, and so hold their own orientation: it is given as 1. */
export const pictureContent = (bytes: Uint8Array, format: string): Content => {
  if (format === 'jpeg') return jpegContent(bytes);
  if (format === 'png') return pngContent(bytes);
  return { spans: [[0, bytes.length]], orientation: 1 };
};
