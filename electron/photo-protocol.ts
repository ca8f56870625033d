/** `photo://preview/<photoId>/<256|2048>`: previews of known photos, made when first asked for. Never a file. */
import { readFile } from 'node:fs/promises';
import type { Protocol } from 'electron/main';
import { type PreviewSize, parsePreviewUrl, previewScheme } from '../main/contract/preview.ts';

/** The file of a preview; null when no photo in the library has this id, or none can be made of it. */
export type FindPreview = (photoId: string, size: PreviewSize) => Promise<string | null>;

const refuse = (status: number) => new Response(null, { status });

export const servePhotos = (protocol: Protocol, find: FindPreview): void => {
  protocol.handle(previewScheme, async (request) => {
    const wanted = request.method === 'GET' ? parsePreviewUrl(request.url) : null;
    if (!wanted) return refuse(404);
    try {
      const file = await find(wanted.photoId, wanted.size);
      if (!file) return refuse(404);
      return new Response(await readFile(file), {
        headers: {
          'content-type': 'image/webp',
          'x-content-type-options': 'nosniff',
          // A photo's id stands for its pixels, so its previews never change.
          'cache-control': 'private, max-age=86400, immutable',
        },
      });
    } catch {
      return refuse(503);
    }
  });
};
