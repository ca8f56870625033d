/** Previews on disk, made when first asked for. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { PreviewSize, Tile } from '../contract/preview.ts';
import type { ImagePool } from '../images/core/pool.ts';
import type { Written } from '../images/protocol.ts';

export type Previews = Readonly<{
  /** The file of a preview; null when the photo cannot be found or decoded. */
  file: (photoId: string, size: PreviewSize) => Promise<string | null>;
  /** The file of a tile, as for a preview. */
  tile: (photoId: string, tile: Tile) => Promise<string | null>;
}>;

type PreviewPorts = Readonly<{
  folder: string;
  images: Pick<ImagePool, 'preview' | 'tile'>;
  /** Where the photo lies now. */
  pathOf: (photoId: string) => Promise<string | null>;
  /** Bytes that previews may take up. */
  capBytes: number;
}>;

/** Looked after again once so many new ones were made. */
const pruneEvery = 500;
const dayMs = 86_400_000;

export const openPreviews = ({ folder, images, pathOf, capBytes }: PreviewPorts): Previews => {
  let made = 0;
  const making = new Map<string, Promise<string | null>>();

  type Draw = (path: string, out: string) => Promise<Written>;

  const make = async (photoId: string, out: string, draw: Draw): Promise<string | null> => {
    const path = await pathOf(photoId);
    if (path === null) return null;
    await mkdir(join(out, '..'), { recursive: true });
    const result = await draw(path, out);
    made += 1;
    if (made % pruneEvery === 0) void prunePreviews(folder, capBytes).catch(() => undefined);
    return result.ok ? out : null;
  };
  const drawn = async (photoId: string, name: string, draw: Draw): Promise<string | null> => {
    const out = join(folder, photoId.slice(-2), `${photoId}-${name}.webp`);
    if (existsSync(out)) {
      void markUsed(out).catch(() => undefined);
      return out;
    }
    const underWay = making.get(out) ?? make(photoId, out, draw).finally(() => making.delete(out));
    making.set(out, underWay);
    return underWay;
  };
  void prunePreviews(folder, capBytes).catch(() => undefined);

  return {
    file: (photoId, size) => drawn(photoId, String(size), (path, out) => images.preview(path, size, out)),
    tile: (photoId, tile) =>
      drawn(photoId, `${tile.level}-${tile.column}-${tile.row}`, (path, out) => images.tile(path, tile, out)),
  };
};

/** The file's time tells when it was last looked at, to the day. */
const markUsed = async (file: string): Promise<void> => {
  const now = Date.now();
  if (now - (await stat(file)).mtimeMs > dayMs) await utimes(file, new Date(now), new Date(now));
};

/** Removes the previews that were looked at longest ago, until the rest fits. */
export const prunePreviews = async (folder: string, capBytes: number): Promise<number> => {
  const names = await readdir(folder, { recursive: true });
  const files = (
    await Promise.all(
      names
        .filter((name) => name.endsWith('.webp'))
        .map(async (name) => {
          const path = join(folder, name);
          const { size, mtimeMs } = await stat(path);
          return { path, size, mtimeMs };
        }),
    )
  ).sort((a, b) => b.mtimeMs - a.mtimeMs);
  let total = 0;
  let removed = 0;
  for (const { path, size } of files) {
    total += size;
    if (total <= capBytes) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
};
