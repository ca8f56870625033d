import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBmp } from '../../../main/images/bmp.ts';
import { takenAtOf } from '../../../main/images/exif.ts';
import { PhotoError, plainError } from '../../../main/images/failure.ts';
import { detectFormat } from '../../../main/images/format.ts';
import { bytesOf, heldPhotos } from '../../../main/images/held.ts';
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
