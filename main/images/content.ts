/**
 * Which bytes of a file are its picture and which are metadata, found without decoding. The parsers read whatever they
 * are given: past the first fault in the structure, all bytes count as picture.
 */
import { exifOrientation } from './orientation.ts';

export type Content = Readonly<{
  /** Spans of the bytes that make up the picture, in order; [start, end). */
  spans: readonly (readonly [start: number, end: number])[];
  /** EXIF orientation, 1 to 8. */
  orientation: number;
}>;

const startsWith = (bytes: Uint8Array, at: number, text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
};

/** Where the entropy-coded data that starts at `at` ends: at the next marker that is no restart or stuffed byte. */
const endOfScan = (bytes: Uint8Array, at: number): number => {
  for (let i = bytes.indexOf(0xff, at); i >= 0 && i + 1 < bytes.length; i = bytes.indexOf(0xff, i + 1)) {
    const next = bytes[i + 1]!;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return i;
  }
  return bytes.length;
};

const isMetadata = (bytes: Uint8Array, marker: number, body: number): boolean => {
  if (marker === 0xfe) return true;
  if (marker === 0xe2) return !startsWith(bytes, body, 'ICC_PROFILE\0');
  if (marker === 0xee) return !startsWith(bytes, body, 'Adobe');
  return marker >= 0xe0 && marker <= 0xef;
};

/** ISO/IEC 10918-1 annex B. What follows the end marker (a phone's clip, a second picture) is no part of the picture. */
const jpegContent = (bytes: Uint8Array): Content => {
  const spans: [number, number][] = [];
  let orientation = 1;
  let at = 2;
  let from = 0;
  while (at < bytes.length) {
    let code = at;
    while (bytes[code] === 0xff && bytes[code + 1] === 0xff) code++;
    const marker = bytes[code] === 0xff ? bytes[code + 1] : undefined;
    if (marker === undefined) break;
    if (marker === 0xd9) {
      spans.push([from, code + 2]);
      return { spans, orientation };
    }
    if (marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      at = code + 2;
      continue;
    }
    const length = ((bytes[code + 2] ?? 0) << 8) | (bytes[code + 3] ?? 0);
    const end = code + 2 + length;
    if (length < 2 || end > bytes.length) break;
    if (isMetadata(bytes, marker, code + 4)) {
      if (at > from) spans.push([from, at]);
      from = end;
      if (marker === 0xe1 && orientation === 1 && startsWith(bytes, code + 4, 'Exif\0')) {
        orientation = exifOrientation(bytes.subarray(code + 10, end));
      }
    }
    at = marker === 0xda ? endOfScan(bytes, end) : end;
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
