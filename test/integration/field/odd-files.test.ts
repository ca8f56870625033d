/** What else lies about in people's folders: things that are no photos, that lead in circles, that never answer. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { height, hugePng, imageFiles, uprightPixels, width } from '../../fixtures/images/make.ts';
import {
  cutWebp,
  jpegWithJunkBefore,
  manyChannelTiff,
  rawFiles,
  runLengthBmp,
  tiffSaying,
} from '../../fixtures/images/odd.ts';
import { vouch } from '../cli/vouch.ts';

const dir = mkdtempSync(join(tmpdir(), 'vouch-odd-'));
afterAll(() => {
  chmodSync(join(dir, 'photos', 'shut'), 0o700);
  rmSync(dir, { recursive: true, force: true });
});
const picture = () => sharp(uprightPixels(), { raw: { width, height, channels: 3 } });
const one = { create: { width: 1, height: 1, channels: 3, background: '#345' } } as const;

/** An animated PNG: the picture as its default image, with the chunks that older readers pass over. */
const apng = (png: Buffer): Buffer => {
  const control = Buffer.from('\0\0\0\x08acTL\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1');
  return Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
};

const floatTiff = () =>
  sharp(
    Float32Array.from(uprightPixels(), (value) => value / 255),
    { raw: { width, height, channels: 3 } },
  )
    .toColourspace('scrgb')
    .tiff({ compression: 'none' })
    .toBuffer();

/** Readable ones, by name. */
const photos = async (): Promise<Readonly<Record<string, Uint8Array>>> => {
  const png = await picture().png().toBuffer();
  const pages = await sharp([png, await picture().negate().png().toBuffer()], { join: { animated: true } })
    .tiff()
    .toBuffer();
  return {
    ...(await rawFiles()),
    'one.png': await sharp(one).png().toBuffer(),
    'one.jpg': await sharp(one).jpeg().toBuffer(),
    'thin.png': await sharp({ create: { ...one.create, width: 5000 } })
      .png()
      .toBuffer(),
    'cmyk named png.png': await picture().toColourspace('cmyk').jpeg().toBuffer(),
    'no extension': png,
    'photo.JPG_old': await picture().jpeg().toBuffer(),
    'photo.txt': png,
    'animated.png': apng(png),
    'pages.tiff': pages,
    'float.tif': await floatTiff(),
    'runs.bmp': runLengthBmp(8),
    'channels.tif': await manyChannelTiff(),
    'cut.webp': await cutWebp(0.6),
    'grey alpha.png': await picture().greyscale().ensureAlpha(0.5).png().toBuffer(),
  };
};

/** Unreadable ones, with the code that each must get. */
const broken = async (): Promise<ReadonlyArray<readonly [string, Uint8Array, string]>> => [
  ['huge.png', await hugePng(30_000), 'too_many_pixels'],
  ['zeros.jpg', Buffer.alloc(4096), 'not_an_image'],
  ['empty.heic', Buffer.alloc(0), 'empty_file'],
  ['mark before.jpg', await jpegWithJunkBefore(), 'undecodable'],
  ['picture.jxl', Buffer.from([0xff, 0x0a, 0xfa, 0x7f, 0x01, 0x90, 0x08, 0x06, 0x01, 0, 0, 0]), 'unsupported_format'],
  [
    'layers.psd',
    Buffer.concat([Buffer.from('8BPS\0\x01\0\0\0\0\0\0\0\x03', 'latin1'), Buffer.alloc(64)]),
    'unsupported_format',
  ],
  ['drawing.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'unsupported_format'],
  ['coding.tif', await tiffSaying(0x103, 34_712), 'unsupported_format'],
  ['half.nef', Buffer.from('II*\0\x08\0\0\0', 'latin1'), 'not_an_image'],
  ...['JFIF', 'hif', 'heics', 'avifs', 'dib', '3fr', 'crw', 'iiq', 'x3f'].map(
    (extension) => [`wiped.${extension}`, wiped, 'not_an_image'] as const,
  ),
];

/** What a bad disk leaves of a file: nothing that tells what it was, save its name. */
const wiped = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 197 + (i >> 3) * 31 + 1) & 255));

/** Neither by name nor by content a photo: a scan does not speak of them. */
const others: Readonly<Record<string, Uint8Array>> = {
  'wiped.bin': wiped,
  wiped,
  'plan.dwg': Buffer.concat([Buffer.from('AC1027'), Buffer.alloc(500)]),
  'letter.txt': Buffer.from('Dear reader,\n'),
  'photo.jpg.xmp': Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>'),
};

it('accounts for all of them, and never waits for a pipe, a socket or a link that leads in a circle', async () => {
  const folder = join(dir, 'photos');
  mkdirSync(join(folder, 'loop'), { recursive: true });
  mkdirSync(join(folder, 'shut'));
  mkdirSync(join(folder, 'folder.jpg'));
  const good = await photos();
  const bad = await broken();
  for (const [name, bytes] of Object.entries(good)) writeFileSync(join(folder, name), bytes);
  for (const [name, bytes] of [...bad, ...Object.entries(others)]) writeFileSync(join(folder, name), bytes);
  writeFileSync(join(folder, 'shut', 'a.jpg'), (await imageFiles())['plain.jpg']!);
  chmodSync(join(folder, 'shut'), 0);
  const server = createServer();
  if (process.platform !== 'win32') {
    symlinkSync('..', join(folder, 'loop', 'up'));
    symlinkSync('self.jpg', join(folder, 'self.jpg'));
    symlinkSync('nowhere.jpg', join(folder, 'dangling.jpg'));
    execFileSync('mkfifo', [join(folder, 'pipe.jpg'), join(folder, 'pipe')]);
    // Half of an e acute: no name in UTF-8, and so not to be found again by what the system says it is called.
    if (process.platform === 'linux') {
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xc3]), Buffer.from('.jpg')]), 'photo');
    }
    await new Promise<void>((done) => server.listen(join(folder, 'socket.jpg'), done));
  }
  try {
    const done = await vouch('scan', folder, '-s', 'a dog', '--home', join(dir, 'home'), '--json');
    expect(done.code, done.stderr).toBe(0);
    const { photos: counts, quarantined } = JSON.parse(done.stdout) as {
      photos: Record<'found' | 'judged' | 'cached' | 'quarantined' | 'ignored', number>;
      quarantined: readonly { path: string; reason: string; reasonCode: string }[];
    };
    const codes = Object.fromEntries(
      quarantined.map(({ path, reasonCode }) => [path.slice(folder.length + 1), reasonCode]),
    );
    // Root may read what nobody else may.
    delete codes['shut/a.jpg'];
    const unnamed = process.platform === 'linux' ? { 'caf\ufffd.jpg': 'unreadable' } : {};
    expect(codes).toEqual({ ...Object.fromEntries(bad.map(([name, , code]) => [name, code])), ...unnamed });
    expect(counts.judged + counts.cached + counts.quarantined).toBe(counts.found);
    expect(counts.judged + counts.cached).toBeGreaterThanOrEqual(Object.keys(good).length);
    expect(counts.ignored).toBe(Object.keys(others).length);
    for (const { reason } of quarantined) expect(reason).toMatch(/^[A-Z].{8,}\.$/);
  } finally {
    server.close();
  }
});
