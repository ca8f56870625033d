/** Tiles: squares of a photo in its own pixels, for a person who looks closer than the preview goes. */
import { statSync } from 'node:fs';
import { sideAt, type Tile, tileSide } from '../../contract/preview.ts';
import { replaceBy } from '../../files/write-whole.ts';
import type { ImageLimits, Written } from '../protocol.ts';
import { decodePhoto, shrunkBy } from './decode.ts';
import { checkPixels, PhotoError } from './failure.ts';
import { detectFormat } from './format.ts';
import type { Pixels } from './pixels.ts';
import { opened } from './preview.ts';
import { readPhotoFile } from './read-file.ts';
import type { SharpModule } from './sharp.ts';

/** Pixels held at once: 360 MB. A larger photo is looked at from one level further off. */
const maxHeldPixels = 120_000_000;
/** Pixels of a photo that is no longer looked at are let go of after so long. */
const holdMs = 20_000;

const webp = { quality: 90, effort: 0 } as const;

export type CutTile = (path: string, tile: Tile, out: string, limits: ImageLimits) => Promise<Written>;

/** Decodes a photo once for all its tiles of a level, and holds the last one. */
export const createTileCutter = (sharp: SharpModule): CutTile => {
  let held: Readonly<{ key: string; pixels: Promise<Pixels> }> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const decodeAt = async (path: string, level: number, limits: ImageLimits): Promise<Pixels> => {
    const { bytes } = readPhotoFile(path, limits.maxBytes);
    const format = await detectFormat(bytes);
    const { pixels } = await decodePhoto(sharp, bytes, format, limits.maxPixels, (photo) => {
      checkPixels(sideAt(photo.width, level), sideAt(photo.height, level), maxHeldPixels);
      return shrunkBy(1 / 2 ** level, photo);
    });
    return pixels;
  };

  const pixelsOf = (path: string, level: number, limits: ImageLimits): Promise<Pixels> => {
    const stat = statSync(path, { throwIfNoEntry: false });
    const key = `${path} ${level} ${stat?.size} ${stat?.mtimeMs}`;
    clearTimeout(timer);
    timer = setTimeout(() => {
      held = null;
    }, holdMs).unref();
    if (held?.key === key) return held.pixels;
    const pixels = decodeAt(path, level, limits);
    held = { key, pixels };
    pixels.catch(() => {
      held = null;
    });
    return pixels;
  };

  return async (path, { level, column, row }, out, limits) => {
    const pixels = await pixelsOf(path, level, limits);
    const [left, top] = [column * tileSide, row * tileSide];
    if (left >= pixels.width || top >= pixels.height) {
      throw new PhotoError({ code: 'unreadable', params: { error: 'there is no such tile' } });
    }
    const [width, height] = [Math.min(tileSide, pixels.width - left), Math.min(tileSide, pixels.height - top)];
    await replaceBy(out, (file) => opened(sharp, pixels).extract({ left, top, width, height }).webp(webp).toFile(file));
    return { ok: true, width, height };
  };
};
