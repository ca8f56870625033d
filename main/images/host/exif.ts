/** The little that Vouch shows of a photo's metadata. Never where it was taken, only whether that is written in it. */
import { createRequire } from 'node:module';
import type Exifr from 'exifr';
import { isoBlock } from './raw.ts';
import { tiffDirectory } from './tiff.ts';

export type PhotoMetadata = Readonly<{ takenAt: string | null; camera: string | null; hasGps: boolean }>;

const nothing: PhotoMetadata = { takenAt: null, camera: null, hasGps: false };

const load = createRequire(import.meta.url);
const exifr: typeof Exifr = load('exifr');

const options = {
  pick: ['Make', 'Model', 'DateTimeOriginal', 'OffsetTimeOriginal', 'GPSLatitude'],
  translateValues: false,
  reviveValues: false,
};

const maxName = 100;

/** Cameras pad names with zero bytes. */
const textOf = (value: unknown): string | null =>
  (typeof value === 'string' &&
    value
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, maxName)) ||
  null;

/** JavaScript takes the 30th of February for the 2nd of March. */
const isOnCalendar = (local: string): boolean => {
  const at = Date.parse(`${local}Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(local);
};

/** The offsets that time zones have had: UTC-12:00 to UTC+14:00, in quarters of an hour. */
const zoneOf = (offset: unknown): string => {
  const written = textOf(offset) ?? '';
  if (written === 'Z') return written;
  const [, sign = '', hours = '', minutes = ''] = /^([+-])(\d\d):(\d\d)$/.exec(written) ?? [];
  const quarters = Number(minutes) % 15 === 0 && Number(minutes) < 60;
  const inMinutes = 60 * Number(hours) + Number(minutes);
  const known = sign !== '' && quarters && inMinutes <= (sign === '+' ? 14 : 12) * 60;
  return known ? written : '';
};

/** `2024:05:06 07:08:09` and `+02:00` become `2024-05-06T07:08:09+02:00`: the camera's own clock, never shifted. */
export const takenAtOf = (dateTime: unknown, offset: unknown): string | null => {
  const match = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(textOf(dateTime) ?? '');
  if (!match) return null;
  const [, year, month, day, time] = match;
  const local = `${year}-${month}-${day}T${time}`;
  return isOnCalendar(local) ? `${local}${zoneOf(offset)}` : null;
};

const cameraOf = (make: string | null, model: string | null): string | null => {
  if (!make || !model) return model ?? make;
  return model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`;
};

/** Panasonic and Olympus write their own numbers where TIFF has 42, which is all that keeps a TIFF reader away. */
const asTiff = (bytes: Uint8Array): Uint8Array => {
  const little = bytes[0] === 0x49 && bytes[1] === 0x49;
  const big = bytes[0] === 0x4d && bytes[1] === 0x4d;
  const magic = little ? [42, 0] : [0, 42];
  if ((!little && !big) || (bytes[2] === magic[0] && bytes[3] === magic[1])) return bytes;
  const copy = bytes.slice(0, directoryBytes);
  copy.set(magic, 2);
  return copy;
};
const directoryBytes = 1024 * 1024;

const canonMetadata = (bytes: Uint8Array): PhotoMetadata | null => {
  const [first, exif, gps] = (['CMT1', 'CMT2', 'CMT4'] as const).map((name) => {
    const block = isoBlock(bytes, name);
    return block && tiffDirectory(block);
  });
  if (!first) return null;
  return {
    takenAt: takenAtOf(exif?.text(0x9003), exif?.text(0x9011)),
    camera: cameraOf(textOf(first.text(0x10f)), textOf(first.text(0x110))),
    hasGps: gps?.has(2) ?? false,
  };
};

/**
 * `exif`: a TIFF file, a camera raw file, or an EXIF block with or without its `Exif` mark. What cannot be read is as if
 * it were absent.
 */
export const readMetadata = async (exif: Uint8Array | undefined): Promise<PhotoMetadata> => {
  if (!exif) return nothing;
  const canon = canonMetadata(exif);
  if (canon) return canon;
  const marked = Buffer.from(exif.buffer, exif.byteOffset, 6).toString('latin1') === 'Exif\0\0';
  try {
    const block = asTiff(marked ? exif.subarray(6) : exif);
    const tags = (await exifr.parse(block, options)) as Record<string, unknown> | undefined;
    if (!tags) return nothing;
    return {
      takenAt: takenAtOf(tags.DateTimeOriginal, tags.OffsetTimeOriginal),
      camera: cameraOf(textOf(tags.Make), textOf(tags.Model)),
      hasGps: tags.GPSLatitude !== undefined,
    };
  } catch {
    return nothing;
  }
};
