/**
 * BMP, plain and run-length coded, which sharp's libvips does not read; the kept libraries that do get palettes wrong. Layout: Windows
 * GDI, BITMAPFILEHEADER and BITMAPINFOHEADER to BITMAPV5HEADER, and BITMAPCOREHEADER of OS/2.
 */
import { unpackRuns } from './bmp-runs.ts';
import { checkPixels, PhotoError } from './failure.ts';
import type { Pixels } from './pixels.ts';

const bitfields = new Set([3, 6]);
const runLength = new Set([1, 2]);

type Header = Readonly<{
  width: number;
  height: number;
  topDown: boolean;
  bits: number;
  /** Where the palette and the pixels start, and bytes a palette entry. */
  palette: number;
  entryBytes: number;
  pixels: number;
  /** Red, green, blue bits of a 16- or 32-bit pixel. */
  masks: readonly number[];
  runLength: boolean;
}>;

const headerOf = (view: DataView): Header => {
  const u32 = (at: number) => view.getUint32(at, true);
  const headerBytes = u32(14);
  const core = headerBytes === 12;
  const [width, rows] = core
    ? [view.getUint16(18, true), view.getUint16(20, true)]
    : [view.getInt32(18, true), view.getInt32(22, true)];
  const bits = view.getUint16(core ? 24 : 28, true);
  const compression = core ? 0 : u32(30);
  const masked = bitfields.has(compression);
  if (compression !== 0 && !masked && !runLength.has(compression)) {
    throw new PhotoError({ code: 'unsupported_format', params: { format: `bmp with coding ${compression}` } });
  }
  if (runLength.has(compression) && bits !== 8 && bits !== 4) throw new Error(`runs of ${bits} bits`);
  if (width <= 0 || rows === 0) throw new Error('no width or height');
  const plain = bits === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff];
  return {
    width,
    height: Math.abs(rows),
    topDown: rows < 0,
    bits,
    palette: 14 + headerBytes,
    entryBytes: core ? 3 : 4,
    pixels: u32(10),
    masks: masked ? [u32(54), u32(58), u32(62)] : plain,
    runLength: runLength.has(compression),
  };
};

/** Reads one pixel of a row as 0xRRGGBB. */
type ReadPixel = (row: number, x: number) => number;

const indexedReader = (bytes: Uint8Array, { bits, palette, entryBytes }: Header): ReadPixel => {
  const perByte = 8 / bits;
  const mask = (1 << bits) - 1;
  return (row, x) => {
    const byte = bytes[row + Math.floor(x / perByte)]!;
    const index = (byte >> (8 - bits * ((x % perByte) + 1))) & mask;
    const at = palette + index * entryBytes;
    return ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at] ?? 0);
  };
};

const maskedReader = (view: DataView, { bits, masks }: Header): ReadPixel => {
  const channels = masks.map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    const largest = mask >>> shift;
    return (pixel: number) => (largest === 0 ? 0 : Math.round((((pixel & mask) >>> shift) * 255) / largest));
  });
  const [red, green, blue] = channels as [(p: number) => number, (p: number) => number, (p: number) => number];
  return (row, x) => {
    const pixel = bits === 16 ? view.getUint16(row + x * 2, true) : view.getUint32(row + x * 4, true);
    return (red(pixel) << 16) | (green(pixel) << 8) | blue(pixel);
  };
};

const readerOf = (bytes: Uint8Array, view: DataView, header: Header): ReadPixel => {
  switch (header.bits) {
    case 1:
    case 2:
    case 4:
    case 8:
      return indexedReader(bytes, header);
    case 16:
    case 32:
      return maskedReader(view, header);
    case 24:
      return (row, x) => (bytes[row + x * 3 + 2]! << 16) | (bytes[row + x * 3 + 1]! << 8) | bytes[row + x * 3]!;
    default:
      throw new Error(`${header.bits} bits per pixel`);
  }
};

/** Pixels that the runs leave out show the palette's first colour. */
const decodeRuns = (bytes: Uint8Array, { width, height, ...header }: Header): Decoded => {
  const { indexes, whole } = unpackRuns(bytes.subarray(header.pixels), width, height, header.bits);
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    let to = (header.topDown ? y : height - 1 - y) * width * 3;
    for (let i = y * width; i < (y + 1) * width; i++, to += 3) {
      const at = header.palette + indexes[i]! * header.entryBytes;
      data[to] = bytes[at + 2] ?? 0;
      data[to + 1] = bytes[at + 1] ?? 0;
      data[to + 2] = bytes[at] ?? 0;
    }
  }
  return { data, width, height, whole };
};

type Decoded = Pixels & Readonly<{ whole: boolean }>;

/** Opaque: the fourth byte of a BMP's pixels is mostly no transparency. Rows that the file lacks stay grey: `whole` says. */
export const decodeBmp = (bytes: Uint8Array, maxPixels: number): Decoded => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = headerOf(view);
  const { width, height } = header;
  checkPixels(width, height, maxPixels);
  if (header.runLength) return decodeRuns(bytes, header);
  const read = readerOf(bytes, view, header);
  const rowBytes = Math.ceil((width * header.bits) / 32) * 4;
  const rows = Math.min(height, Math.max(0, Math.floor((bytes.length - header.pixels) / rowBytes)));
  if (rows === 0) throw new Error('no whole row of pixels');
  const data = new Uint8Array(width * height * 3).fill(128);
  for (let y = 0; y < rows; y++) {
    const row = header.pixels + y * rowBytes;
    let to = (header.topDown ? y : height - 1 - y) * width * 3;
    for (let x = 0; x < width; x++) {
      const pixel = read(row, x);
      data[to++] = pixel >> 16;
      data[to++] = (pixel >> 8) & 255;
      data[to++] = pixel & 255;
    }
  }
  return { data, width, height, whole: rows === height };
};
