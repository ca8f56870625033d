/** Which files of a tree are judged: what other programs leave there is not, and what changed is seen to have. */
import { copyFileSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { writePhotos } from '../inference/rig.ts';
import { openLibrary } from './rig.ts';

it('leaves out backups, unfinished copies and other programs’ previews, and counts the files among them', async () => {
  const library = await openLibrary();
  const [photo] = await writePhotos(library.photos, 1);
  const put = (...path: readonly string[]) => {
    mkdirSync(join(library.photos, ...path.slice(0, -1)), { recursive: true });
    copyFileSync(photo!, join(library.photos, ...path));
  };
  for (const name of ['a.jpg_original', 'a.jpg~', 'a.jpg.bak', 'b.jpg.crdownload', '~syncthing~c.jpg.tmp']) put(name);
  put('Work Previews.lrdata', '4', 'AB-1024');
  put('Mine.photoslibrary', 'resources', 'derivatives', 'F', 'F_1_105_c.jpeg');
  const { photos } = await library.scan();
  expect(photos).toMatchObject({ found: 1, judged: 1, ignored: 5 });
});

it('sees that a file’s bytes have changed though size, time and place are the same', async () => {
  const library = await openLibrary();
  const path = join(library.photos, 'a.bmp');
  const time = new Date('2020-05-05T05:05:05Z');
  /** Two pictures of one size in a format without compression. */
  const bitmap = async (left: number): Promise<Buffer> => {
    const [width, height] = [120, 80];
    const pixels = await sharp({ create: { width, height, channels: 3, background: '#203040' } })
      .composite([
        {
          input: Buffer.from('<svg width="40" height="40"><circle cx="20" cy="20" r="20" fill="red"/></svg>'),
          left,
          top: 20,
        },
      ])
      .raw()
      .toBuffer();
    const head = Buffer.alloc(54);
    head.write('BM', 'latin1');
    head.writeUInt32LE(54 + pixels.length, 2);
    head.writeUInt32LE(54, 10);
    head.writeUInt32LE(40, 14);
    head.writeInt32LE(width, 18);
    head.writeInt32LE(height, 22);
    head.writeUInt16LE(1, 26);
    head.writeUInt16LE(24, 28);
    return Buffer.concat([head, pixels]);
  };
  writeFileSync(path, await bitmap(5));
  utimesSync(path, time, time);
  const before = statSync(path);
  expect((await library.scan()).photos).toMatchObject({ judged: 1, cached: 0 });
  expect((await library.scan()).photos).toMatchObject({ judged: 0, cached: 1 });

  writeFileSync(path, await bitmap(70), { flag: 'r+' });
  utimesSync(path, time, time);
  const after = statSync(path);
  expect([after.size, after.mtimeMs, after.ino]).toEqual([before.size, before.mtimeMs, before.ino]);
  expect((await library.scan()).photos).toMatchObject({ judged: 1, cached: 0 });
  expect(readFileSync(path)).toHaveLength(before.size);
});
