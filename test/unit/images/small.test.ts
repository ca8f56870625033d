import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBmp } from '../../../main/images/host/bmp.ts';
import { takenAtOf } from '../../../main/images/host/exif.ts';
import { PhotoError, plainError } from '../../../main/images/host/failure.ts';
import { detectFormat } from '../../../main/images/host/format.ts';
import { bytesOf, heldPhotos } from '../../../main/images/host/held.ts';
import { completedWebp } from '../../../main/images/host/webp.ts';
import { bmp24, uprightPixels } from '../../fixtures/images/make.ts';

const reasonOf = (bytes: Uint8Array) =>
  detectFormat(bytes).then(
    (format) => format,
    (error: PhotoError) => ({ ...error.reason.params }),
  );

describe('format by content', () => {
  it.each([
    ['<svg xmlns="a"></svg>', { format: 'svg' }],
    ['\ufeff<?xml version="1.0"?><!-- x --><svg/>', { format: 'svg' }],
    ['<?xml version="1.0"?><rss/>', { found: 'text' }],
    ['just words', { found: 'text' }],
    ['%PDF-1.7\n%\u0001\u0002', { found: 'pdf' }],
  ])('%j is %j', async (text, expected) => {
    expect(await reasonOf(Buffer.from(text))).toEqual(expected);
  });

  it('answers or refuses whatever it is given', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        expect(await detectFormat(bytes).catch((error: unknown) => error instanceof PhotoError)).toBeTruthy();
      }),
    );
  });
});

describe('BMP', () => {
  it('decodes 24-bit pixels', () => {
    const { data, whole } = decodeBmp(bmp24(), 1e6);
    expect(whole).toBe(true);
    expect(Buffer.compare(Buffer.from(data), Buffer.from(uprightPixels()))).toBe(0);
  });

  it('decodes the rows that are there', () => {
    const cut = bmp24();
    const { data, whole } = decodeBmp(cut.subarray(0, 54 + 480 * 10), 1e6);
    expect(whole).toBe(false);
    expect([...data.subarray(0, 3)]).toEqual([128, 128, 128]);
    expect([...data.subarray(-3)]).toEqual([...uprightPixels().subarray(-3)]);
  });

  it('refuses broken headers with an error, not with a crash or much memory', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 10, max: 60 }), fc.nat(255)), { maxLength: 8 }), (edits) => {
        const bytes = bmp24();
        for (const [at, value] of edits) bytes[at] = value;
        try {
          expect(decodeBmp(bytes, 1e6).data.length).toBeLessThanOrEqual(3e6);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('taken at', () => {
  it.each([
    ['2024:05:06 07:08:09', '+02:00', '2024-05-06T07:08:09+02:00'],
    ['2024:05:06 07:08:09\0', undefined, '2024-05-06T07:08:09'],
    ['2024:05:06 07:08:09', 'sometime', '2024-05-06T07:08:09'],
    ['0000:00:00 00:00:00', '+02:00', null],
    ['2023:02:29 07:08:09', undefined, null],
    ['2024:02:29 07:08:09', undefined, '2024-02-29T07:08:09'],
    ['2023:11:31 07:08:09', undefined, null],
    ['2023:13:01 07:08:09', undefined, null],
    ['2023:04:00 07:08:09', undefined, null],
    ['2023:04:01 24:00:00', undefined, null],
    ['2023:04:01 07:61:00', undefined, null],
    ['2024:05:06 07:08:09', '+14:00', '2024-05-06T07:08:09+14:00'],
    ['2024:05:06 07:08:09', '-09:30', '2024-05-06T07:08:09-09:30'],
    ['2024:05:06 07:08:09', '+15:00', '2024-05-06T07:08:09'],
    ['2024:05:06 07:08:09', '-13:00', '2024-05-06T07:08:09'],
    ['2024:05:06 07:08:09', '+05:77', '2024-05-06T07:08:09'],
    ['    :  :     :  :  ', undefined, null],
    [undefined, undefined, null],
  ])('%j %j is %j', (dateTime, offset, expected) => {
    expect(takenAtOf(dateTime, offset)).toBe(expected);
  });
});

describe('errors in plain words', () => {
  it('leave out prefixes and the warnings that came before', () => {
    expect(plainError(new Error('Input buffer has corrupt header: VipsJpeg: Bogus marker length'))).toBe(
      'Bogus marker length',
    );
    expect(
      plainError(
        new Error('VipsJpeg: Corrupt JPEG data: 4 extraneous bytes before marker 0xda\nVipsJpeg: Bogus marker length'),
      ),
    ).toBe('Bogus marker length');
  });
});

describe('held photos', () => {
  const photo = {
    path: '/nowhere',
    readMs: 1,
    identity: { bytes: 4, mtimeMs: 0, inode: '1', fileHash: '', imageHash: '', format: 'jpeg' },
  };
  it('keep bytes within their bound and give each out once', () => {
    const held = heldPhotos(10);
    held.keep(1, photo, new Uint8Array(6));
    held.keep(2, photo, new Uint8Array(6));
    expect(held.take(2)?.bytes).toBeNull();
    expect(held.take(1)?.bytes?.length).toBe(6);
    expect(held.take(1)).toBeUndefined();
    held.keep(3, photo, new Uint8Array(10));
    expect(held.take(3)?.bytes?.length).toBe(10);
  });

  it('are read again when they were not kept', async () => {
    await expect(bytesOf({ ...photo, bytes: null }, 10)).rejects.toMatchObject({ reason: { code: 'vanished' } });
  });
});

describe('WebP that was cut off', () => {
  const chunk = (type: string, size: number): Buffer => {
    const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
    head.writeUInt32LE(size, 4);
    return Buffer.concat([head, Buffer.alloc(size, 7)]);
  };
  const webp = (...chunks: readonly Buffer[]): Buffer => {
    const body = Buffer.concat(chunks);
    const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
    head.writeUInt32LE(body.length + 4, 4);
    return Buffer.concat([head, body]);
  };
  const frames = webp(chunk('VP8X', 10), chunk('ANMF', 40), chunk('ANMF', 60));

  it('is left alone where nothing is missing', () => {
    const bytes = Buffer.concat([frames, Buffer.from('behind it')]);
    expect(completedWebp(bytes)).toEqual({ bytes, whole: true });
  });

  it('keeps the frames that are whole', () => {
    const { bytes, whole } = completedWebp(frames.subarray(0, frames.length - 10));
    expect(whole).toBe(false);
    expect(Buffer.from(bytes)).toEqual(webp(chunk('VP8X', 10), chunk('ANMF', 40)));
  });

  it('is made as long as its only picture says it is', () => {
    const one = webp(chunk('VP8 ', 100));
    const { bytes, whole } = completedWebp(one.subarray(0, 60));
    expect(whole).toBe(false);
    expect(bytes).toHaveLength(one.length);
    expect(Buffer.compare(bytes.subarray(0, 60), one.subarray(0, 60))).toBe(0);
    expect(bytes.subarray(60).every((byte) => byte === 0)).toBe(true);
  });

  it('claims no memory for what no photo can be', () => {
    const one = webp(chunk('VP8 ', 100)).subarray(0, 60);
    one.writeUInt32LE(0xffff_fff0, 4);
    one.writeUInt32LE(0xffff_ffe0, 16);
    expect(completedWebp(one)).toEqual({ bytes: one, whole: false });
  });
});
