/** The segments of a JPEG file (ISO/IEC 10918-1, annex B), read without decoding it. */

/** [start, end) with the marker and the fill bytes before it; `body` is where its parameters begin. */
type Segment = Readonly<{ marker: number; start: number; body: number; end: number }>;

export const endOfImage = 0xd9;
const startOfScan = 0xda;

/** Where the entropy-coded data that starts at `at` ends: at the next marker that is no restart or stuffed byte. */
const endOfScan = (bytes: Uint8Array, at: number): number => {
  for (let i = bytes.indexOf(0xff, at); i >= 0 && i + 1 < bytes.length; i = bytes.indexOf(0xff, i + 1)) {
    const next = bytes[i + 1]!;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return i;
  }
  return bytes.length;
};

/** In order, up to the end marker (the last one given) or the first fault in the structure. */
export function* jpegSegments(bytes: Uint8Array): Generator<Segment> {
  let start = 2;
  while (start < bytes.length) {
    let code = start;
    while (bytes[code] === 0xff && bytes[code + 1] === 0xff) code++;
    const marker = bytes[code] === 0xff ? bytes[code + 1] : undefined;
    if (marker === undefined) return;
    if (marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      start = code + 2;
      continue;
    }
    const body = code + 4;
    if (marker === endOfImage) return yield { marker, start, body, end: code + 2 };
    const length = ((bytes[code + 2] ?? 0) << 8) | (bytes[code + 3] ?? 0);
    const end = code + 2 + length;
    if (length < 2 || end > bytes.length) return;
    yield { marker, start, body, end };
    start = marker === startOfScan ? endOfScan(bytes, end) : end;
  }
}

export const startsWith = (bytes: Uint8Array, at: number, text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
};

export const isExif = (bytes: Uint8Array, { marker, body }: Segment): boolean =>
  marker === 0xe1 && startsWith(bytes, body, 'Exif\0');

/** SOF0 to SOF15, among which are DHT, JPG and DAC. */
const startsFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

export type JpegHeader = Readonly<{
  /** As stored, in pixels. */
  width: number;
  height: number;
  /** The first EXIF block, with its `Exif` mark. */
  exif: Uint8Array | undefined;
}>;

/** What stands before the picture; null where that does not tell its size. */
export const jpegHeader = (bytes: Uint8Array): JpegHeader | null => {
  let exif: Uint8Array | undefined;
  let size: Readonly<{ width: number; height: number }> | undefined;
  for (const segment of jpegSegments(bytes)) {
    const { marker, body, end } = segment;
    if (marker === startOfScan) break;
    if (!exif && isExif(bytes, segment)) exif = bytes.subarray(body, end);
    if (!size && startsFrame(marker) && end >= body + 5) {
      const view = new DataView(bytes.buffer, bytes.byteOffset + body, 5);
      size = { height: view.getUint16(1), width: view.getUint16(3) };
    }
  }
  return size && size.width > 0 && size.height > 0 ? { ...size, exif } : null;
};
