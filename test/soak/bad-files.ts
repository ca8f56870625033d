/** Bad files of the kinds that people meet, of every format; the same ones each time. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { bmp24, height, hugePng, imageFiles, uprightPixels, width } from '../fixtures/images/make.ts';
import { mutate, mutations, random } from './mutate.ts';

export const kinds = ['zero', 'random', 'truncated', 'renamed', 'declared', 'deep', 'mutated'] as const;
export type Kind = (typeof kinds)[number];
/** `of`: the format of the file that was spoilt, or the one that its name claims. */
export type BadFile = Readonly<{ kind: Kind; of: Format; extension: string; bytes: Uint8Array; note?: string }>;

export const formats = ['jpg', 'png', 'webp', 'gif', 'tiff', 'avif', 'heic', 'bmp'] as const;
type Format = (typeof formats)[number];

/** A photo, large enough that every tenth of it holds some of the picture. */
const cat = readFileSync(new URL('../../resources/samples/cat.jpg', import.meta.url));
const heic = readFileSync(new URL('../fixtures/images/plain.heic', import.meta.url));
const ofEach = async (): Promise<Readonly<Record<Format, readonly Buffer[]>>> => {
  const files = await imageFiles();
  const named = (...names: readonly string[]) => names.map((name) => Buffer.from(files[name]!));
  return {
    jpg: named('plain.jpg', 'progressive.jpg', 'cmyk.jpg', 'tagged.jpg'),
    png: named('plain.png', 'palette.png', 'sixteen-bit.png'),
    webp: named('plain.webp', 'animated.webp'),
    gif: named('animated.gif'),
    tiff: named('plain.tiff'),
    avif: named('plain.avif'),
    heic: [heic],
    bmp: [bmp24()],
  };
};

const noise = (bytes: number, chance: () => number): Uint8Array =>
  Uint8Array.from({ length: bytes }, () => chance() * 256);

const declaredSide = 30_000;
/** Copies with width and height, where `type` stands, replaced: 16 or 32 bits each, at these distances from it. */
const declaring = (
  bytes: Buffer,
  type: string,
  distances: readonly [width: number, height: number],
  bits: 'UInt16LE' | 'UInt16BE' | 'UInt32LE' | 'UInt32BE',
): Buffer => {
  const at = bytes.indexOf(type, 0, 'latin1');
  if (at < 0) throw new Error(`no ${type} to change`);
  const out = Buffer.from(bytes);
  for (const distance of distances) out[`write${bits}`](declaredSide, at + distance);
  return out;
};
/** The frame header of a baseline or progressive JPEG. */
const declaringJpeg = (bytes: Buffer): Buffer => {
  const type = bytes.includes('\xff\xc2\0\x11', 0, 'latin1') ? '\xff\xc2\0\x11' : '\xff\xc0\0\x11';
  return declaring(bytes, type, [7, 5], 'UInt16BE');
};
/** Little-endian TIFF: the values of ImageWidth (256) and ImageLength (257), each a SHORT or a LONG. */
const declaringTiff = (bytes: Buffer): Buffer => {
  const out = Buffer.from(bytes);
  const from = out.readUInt32LE(4);
  for (let entry = 0; entry < out.readUInt16LE(from); entry++) {
    const at = from + 2 + 12 * entry;
    const tag = out.readUInt16LE(at);
    if (tag !== 256 && tag !== 257) continue;
    out.writeUInt16LE(4, at + 2);
    out.writeUInt32LE(declaredSide, at + 8);
  }
  return out;
};
/** The canvas of an animated WebP: 24 bits each, less one. */
const declaringWebp = (bytes: Buffer): Buffer => {
  const out = Buffer.from(bytes);
  const at = out.indexOf('VP8X', 0, 'latin1');
  for (const distance of [12, 15]) out.writeUIntLE(declaredSide - 1, at + distance, 3);
  return out;
};

/** A GIF or WebP whose last frame comes `times` more. */
const repeated = (bytes: Buffer, from: number, to: number, times: number): Buffer =>
  Buffer.concat([bytes.subarray(0, to), ...Array<Buffer>(times).fill(bytes.subarray(from, to)), bytes.subarray(to)]);
const deepGif = (gif: Buffer, times: number): Buffer => {
  const control = Buffer.from([0x21, 0xf9, 4]);
  return repeated(gif, gif.lastIndexOf(control), gif.length - 1, times);
};
const deepWebp = (webp: Buffer, times: number): Buffer => {
  const out = repeated(webp, webp.lastIndexOf('ANMF', undefined, 'latin1'), webp.length, times);
  out.writeUInt32LE(out.length - 8, 4);
  return out;
};
/** A PNG that says that frames without end follow its picture. */
const deepPng = (png: Buffer): Buffer => {
  const control = Buffer.from('\0\0\0\x08acTL\x7f\xff\xff\xff\0\0\0\0\0\0\0\0', 'latin1');
  return Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
};
const deepTiff = async (pages: number): Promise<Buffer> => {
  const picture = await sharp(uprightPixels(), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  return sharp(Array<Buffer>(pages).fill(picture), { join: { animated: true } })
    .tiff()
    .toBuffer();
};

export const photoNote = 'of a photo';

const truncated = (sources: Readonly<Record<Format, readonly Buffer[]>>): readonly BadFile[] =>
  formats.flatMap((of) =>
    [...sources[of], ...(of === 'jpg' ? [cat] : [])].flatMap((bytes) =>
      Array.from({ length: 10 }, (_, tenth): BadFile => {
        const cut = bytes.subarray(0, Math.floor((bytes.length * tenth) / 10));
        return {
          kind: 'truncated',
          of,
          extension: of,
          bytes: cut,
          note: `${tenth} tenths${bytes === cat ? ` ${photoNote}` : ''}`,
        };
      }),
    ),
  );

/** A byte behind its end, another for each name, makes a file of its own and spoils none. */
const renamed = (sources: Readonly<Record<Format, readonly Buffer[]>>): readonly BadFile[] =>
  formats.flatMap((of) =>
    formats
      .filter((extension) => extension !== of)
      .map((extension, i): BadFile => {
        const bytes = Buffer.concat([sources[of][0]!, Buffer.from([i])]);
        return { kind: 'renamed', of, extension, bytes };
      }),
  );

const declared = async (sources: Readonly<Record<Format, readonly Buffer[]>>): Promise<readonly BadFile[]> => {
  const made: Readonly<Record<Format, readonly Buffer[]>> = {
    jpg: sources.jpg.slice(0, 2).map(declaringJpeg),
    png: [await hugePng(declaredSide)],
    webp: [declaringWebp(sources.webp[1]!)],
    // Both the screen and, 16 bits wide behind its mark and place, the first picture.
    gif: [declaring(declaring(sources.gif[0]!, 'GIF', [6, 8], 'UInt16LE'), ',\0\0\0\0', [5, 7], 'UInt16LE')],
    tiff: [declaringTiff(sources.tiff[0]!)],
    avif: [declaring(sources.avif[0]!, 'ispe', [8, 12], 'UInt32BE')],
    heic: [declaring(heic, 'ispe', [8, 12], 'UInt32BE')],
    bmp: [declaring(sources.bmp[0]!, 'BM', [18, 22], 'UInt32LE')],
  };
  return formats.flatMap((of) => made[of].map((bytes): BadFile => ({ kind: 'declared', of, extension: of, bytes })));
};

const deep = async (sources: Readonly<Record<Format, readonly Buffer[]>>): Promise<readonly BadFile[]> => {
  const made: readonly (readonly [Format, Buffer])[] = [
    ['gif', deepGif(sources.gif[0]!, 5_000)],
    ['webp', deepWebp(sources.webp[1]!, 5_000)],
    ['png', deepPng(sources.png[0]!)],
    ['tiff', await deepTiff(500)],
  ];
  return made.map(([of, bytes]) => ({ kind: 'deep', of, extension: of, bytes }));
};

/** All kinds; `least` files or some more, the rest of them mutated ones. */
export const badFiles = async (least: number): Promise<readonly BadFile[]> => {
  const chance = random(20_260);
  const sources = await ofEach();
  const files: BadFile[] = [
    ...truncated(sources),
    ...renamed(sources),
    ...(await declared(sources)),
    ...(await deep(sources)),
  ];
  for (const of of formats) {
    for (let i = 0; i < 10; i++) {
      const bytes = i === 0 ? new Uint8Array() : new Uint8Array(1 + Math.floor(chance() * 65_536));
      files.push({ kind: 'zero', of, extension: of, bytes });
    }
    for (let i = 0; i < 40; i++) {
      files.push({ kind: 'random', of, extension: of, bytes: noise(1 + Math.floor(chance() * 8192), chance) });
    }
  }
  const all = formats.flatMap((of) => sources[of].map((bytes) => ({ of, bytes })));
  while (files.length < least) {
    for (const { of, bytes } of all) {
      for (const mutation of mutations) {
        files.push({ kind: 'mutated', of, extension: of, bytes: mutate(bytes, mutation, chance) });
      }
    }
  }
  return files;
};
