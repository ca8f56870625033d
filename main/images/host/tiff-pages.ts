/** The pages of a TIFF or BigTIFF file (TIFF 6.0; BigTIFF by AWare Systems), and one of them by itself. */

type Entry = Readonly<{ tag: number; type: number; count: number; at: number }>;
type Shape = Readonly<{ big: boolean; little: boolean }>;
type Page = Readonly<{ entries: ReadonlyMap<number, Entry>; next: number }>;

/** Most pages looked at: files that chain their directories in a loop end here. */
const mostPages = 1000;
const mostEntries = 4096;

/** Bytes of each type of value, by its number. */
const sizes: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8 },
};
const [subfileType, oldSubfileType] = [0xfe, 0xff];
const [width, height, bits, compression, photometric] = [0x100, 0x101, 0x102, 0x103, 0x106];
const [stripOffsets, samples, stripBytes, planar, extraSamples] = [0x111, 0x115, 0x117, 0x11c, 0x152];
/** Tags that pixels are made by; all others only describe them. */
const pixelTags = new Set([
  ...[subfileType, oldSubfileType, width, height, bits, compression, photometric, 0x10a, stripOffsets, 0x112],
  ...[samples, 0x116, stripBytes, planar, 0x124, 0x125, 0x13d, 0x140, 0x142, 0x143, 0x144, 0x145, 0x14c],
  ...[extraSamples, 0x153, 0x15b, 0x200, 0x201, 0x202, 0x203, 0x207, 0x208, 0x209, 0x211, 0x212, 0x213, 0x214],
  0x8773,
]);
const colours: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 3, 3: 1, 5: 4, 6: 3, 8: 3, 9: 3 };

const shapeOf = (view: DataView): Shape | null => {
  if (view.byteLength < 16) return null;
  const order = view.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return null;
  const little = order === 0x4949;
  const magic = view.getUint16(2, little);
  return magic === 42 || magic === 43 ? { big: magic === 43, little } : null;
};

const offsetAt = (view: DataView, at: number, { big, little }: Shape): number =>
  big ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little);

const entrySize = ({ big }: Shape): number => (big ? 20 : 12);
const countSize = ({ big }: Shape): number => (big ? 8 : 2);
const inlineSize = ({ big }: Shape): number => (big ? 8 : 4);

const readPage = (view: DataView, at: number, shape: Shape): Page | null => {
  if (at + countSize(shape) > view.byteLength) return null;
  const count = shape.big ? Number(view.getBigUint64(at, shape.little)) : view.getUint16(at, shape.little);
  const first = at + countSize(shape);
  const end = first + count * entrySize(shape);
  if (count > mostEntries || end > view.byteLength) return null;
  const entries = new Map<number, Entry>();
  for (let i = 0; i < count; i++) {
    const entry = first + i * entrySize(shape);
    const tag = view.getUint16(entry, shape.little);
    if (entries.has(tag)) continue;
    entries.set(tag, {
      tag,
      type: view.getUint16(entry + 2, shape.little),
      count: offsetAt(view, entry + 4, shape),
      at: entry,
    });
  }
  const next = end + inlineSize(shape) <= view.byteLength ? offsetAt(view, end, shape) : 0;
  return { entries, next };
};

const numberOf = (view: DataView, entry: Entry | undefined, shape: Shape): number | undefined => {
  if (!entry) return undefined;
  const at = entry.at + (shape.big ? 12 : 8);
  if (entry.type === 3) return view.getUint16(at, shape.little);
  if (entry.type === 4 || entry.type === 13) return view.getUint32(at, shape.little);
  return entry.type === 1 ? view.getUint8(at) : undefined;
};

/** Bit 0 of NewSubfileType, or 2 for its forerunner: a reduced copy of another page. */
const isReduced = (view: DataView, { entries }: Page, shape: Shape): boolean =>
  ((numberOf(view, entries.get(subfileType), shape) ?? 0) & 1) === 1 ||
  numberOf(view, entries.get(oldSubfileType), shape) === 2;

/** A tag with one number, written where its value stands. */
type Written = Readonly<{ tag: number; bytes: Uint8Array }>;

const copied = (bytes: Uint8Array, { tag, at }: Entry, shape: Shape): Written => ({
  tag,
  bytes: bytes.subarray(at, at + entrySize(shape)),
});

const written = (tag: number, type: 3 | 4, value: number, shape: Shape): Written => {
  const bytes = new Uint8Array(entrySize(shape));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, tag, shape.little);
  view.setUint16(2, type, shape.little);
  if (shape.big) view.setBigUint64(4, 1n, shape.little);
  else view.setUint32(4, 1, shape.little);
  const at = shape.big ? 12 : 8;
  if (type === 3) view.setUint16(at, value, shape.little);
  else view.setUint32(at, value, shape.little);
  return { tag, bytes };
};

/** What a page that can be read all the same may lack: how long its one strip is, and what its extra channel is. */
const completed = (view: DataView, { entries }: Page, shape: Shape): readonly Written[] => {
  const number = (tag: number, otherwise: number): number => numberOf(view, entries.get(tag), shape) ?? otherwise;
  const perPixel = number(samples, 1);
  const added: Written[] = [];
  const oneStrip = entries.get(stripOffsets)?.count === 1;
  if (!entries.has(stripBytes) && oneStrip && number(compression, 1) === 1) {
    const ofSample = entries.has(bits) ? (perPixel > 2 ? 8 : number(bits, 1)) : 1;
    const row = Math.ceil((number(width, 0) * perPixel * ofSample) / 8);
    added.push(written(stripBytes, 4, row * number(height, 0), shape));
  }
  const extra = perPixel - (colours[number(photometric, 1)] ?? perPixel);
  if (!entries.has(extraSamples) && extra === 1) added.push(written(extraSamples, 3, 2, shape));
  return added;
};

const isWithin = (view: DataView, { type, count, at }: Entry, shape: Shape): boolean => {
  const bytes = (sizes[type] ?? Number.POSITIVE_INFINITY) * count;
  if (bytes <= inlineSize(shape)) return true;
  return offsetAt(view, at + (shape.big ? 12 : 8), shape) + bytes <= view.byteLength;
};

/** The bytes with a directory of this page alone at their end: its pixel tags, once each and in order. */
const alone = (bytes: Uint8Array, view: DataView, page: Page, shape: Shape): Uint8Array => {
  const kept = [...page.entries.values()].filter(
    (entry) => pixelTags.has(entry.tag) && entry.count > 0 && isWithin(view, entry, shape),
  );
  const tags = [...kept.map((entry) => copied(bytes, entry, shape)), ...completed(view, page, shape)].toSorted(
    (a, b) => a.tag - b.tag,
  );
  const start = bytes.length + (bytes.length % 2);
  const result = new Uint8Array(start + countSize(shape) + tags.length * entrySize(shape) + inlineSize(shape));
  result.set(bytes);
  const out = new DataView(result.buffer);
  if (shape.big) {
    out.setBigUint64(8, BigInt(start), shape.little);
    out.setBigUint64(start, BigInt(tags.length), shape.little);
  } else {
    out.setUint32(4, start, shape.little);
    out.setUint16(start, tags.length, shape.little);
  }
  tags.forEach(({ bytes: tag }, i) => {
    result.set(tag, start + countSize(shape) + i * entrySize(shape));
  });
  return result;
};

export type FullPage = Readonly<{
  /** Counts from 0. */
  index: number;
  /** A copy of the file in which this is the only page, with the tags alone that pixels are made by. */
  alone: () => Uint8Array;
}>;

/** The first page that is not marked as a reduced copy of another; the first one where all are. null: no such file. */
export const fullPage = (bytes: Uint8Array): FullPage | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shape = shapeOf(view);
  if (!shape) return null;
  const pages: Page[] = [];
  for (let at = offsetAt(view, shape.big ? 8 : 4, shape); at !== 0 && pages.length < mostPages; ) {
    const page = readPage(view, at, shape);
    if (!page) break;
    pages.push(page);
    at = page.next;
  }
  const found = pages.findIndex((page) => !isReduced(view, page, shape));
  const index = Math.max(0, found);
  const page = pages[index];
  return page ? { index, alone: () => alone(bytes, view, page, shape) } : null;
};
