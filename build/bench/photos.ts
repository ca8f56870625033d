/** Photos to measure with: the labelled ones beside the project where they are, else the samples, at a given size. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pMap from 'p-map';
import sharp from 'sharp';
import { shared } from '../../test/shared.ts';

const samples = resolve(import.meta.dirname, '..', '..', 'resources', 'samples');

export type PhotoFolder = Readonly<{ dir: string; paths: readonly string[]; remove: () => void }>;

/** `count` JPEGs of `width` x `height`, all different, in a folder of their own. */
export const makePhotos = async (count: number, width: number, height: number): Promise<PhotoFolder> => {
  const source = shared ? join(shared, 'eval', 'objects', 'photos') : samples;
  const sources = readdirSync(source).filter((name) => name.endsWith('.jpg'));
  const dir = mkdtempSync(join(tmpdir(), 'vouch-bench-photos-'));
  const paths = Array.from({ length: count }, (_, i) => join(dir, `${String(i).padStart(5, '0')}.jpg`));
  await pMap(
    paths,
    async (path, i) => {
      const turn = Math.floor(i / sources.length);
      await sharp(join(source, sources[i % sources.length]!))
        .resize(width, height, { fit: 'cover' })
        .modulate({ brightness: 1 + turn * 0.01 })
        .jpeg({ quality: 85 - (turn % 10) })
        .toFile(path);
    },
    { concurrency: 2 },
  );
  return { dir, paths, remove: () => rmSync(dir, { recursive: true, force: true }) };
};
