/** Photos for tests: the bundled samples, each turned into as many different ones as wanted. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';

const samples = resolve(import.meta.dirname, '..', '..', 'resources', 'samples');
const names = readdirSync(samples)
  .filter((name) => name.endsWith('.jpg'))
  .sort();

/** Writes `count` different JPEGs into the folder: samples cut a little differently each time. */
export const writePhotos = async (folder: string, count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) {
    const name = names[i % names.length]!;
    const cut = 1 + Math.floor(i / names.length);
    const image = sharp(join(samples, name));
    const { width, height } = await image.metadata();
    await image
      .extract({ left: cut, top: cut, width: width - 2 * cut, height: height - 2 * cut })
      .jpeg({ quality: 85 })
      .toFile(join(folder, `${String(i).padStart(4, '0')}-${name}`));
  }
};

export const writeBroken = (folder: string): void => {
  writeFileSync(join(folder, 'broken.jpg'), readFileSync(join(samples, names[0]!)).subarray(0, 200));
  writeFileSync(join(folder, 'empty.png'), '');
  writeFileSync(join(folder, 'notes.txt'), 'no image');
};

/** Names and hashes of all files of a folder. */
export const fingerprint = (folder: string): readonly string[] =>
  readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}`,
    );
