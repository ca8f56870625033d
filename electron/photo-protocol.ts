/** Previews and tiles of known photos (addresses: main/contract/preview.ts), made when first asked for. Never a file. */
import { readFile } from 'node:fs/promises';
import type { Protocol } from 'electron/main';
import { type PreviewSize, parsePreviewUrl, parseTileUrl, previewScheme, type Tile } from '../main/contract/preview.ts';

/** The files of pictures; null when no photo in the library has this id, or none can be made of it. */
export type FindPicture = Readonly<{
  file: (photoId: string, size: PreviewSize) => Promise<string | null>;
  tile: (photoId: string, tile: Tile) => Promise<string | null>;
}>;

const findFor = (url: string): ((find: FindPicture) => Promise<string | null>) | null => {
  const preview = parsePreviewUrl(url);
  if (preview) return ({ file }) => file(preview.photoId, preview.size);
  const wanted = parseTileUrl(url);
  return wanted && (({ tile }) => tile(wanted.photoId, wanted.tile));
};

const refuse = (status: number) => new Response(null, { status });

export const servePhotos = (protocol: Protocol, find: () => Promise<FindPicture>): void => {
  protocol.handle(previewScheme, async (request) => {
    const wanted = request.method === 'GET' ? findFor(request.url) : null;
    if (!wanted) return refuse(404);
    try {
      const file = await wanted(await find());
      if (!file) return refuse(404);
      return new Response(await readFile(file), {
        headers: {
          'content-type': 'image/webp',
          'x-content-type-options': 'nosniff',
          // A photo's id stands for its pixels, so its pictures never change.
          'cache-control': 'private, max-age=86400, immutable',
        },
      });
    } catch {
      return refuse(503);
    }
  });
};
