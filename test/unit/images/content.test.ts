import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { pictureContent } from '../../../main/images/host/content.ts';
import { hashFile, hashImage } from '../../../main/images/host/identify.ts';

const raw = { width: 40, height: 30, channels: 3 as const };
const pixels = Uint8Array.from({ length: raw.width * raw.height * 3 }, (_, i) => (i * 37 + (i >> 5) * 11) & 255);
let jpeg: Buffer;
let progressive: Buffer;
let profiled: Buffer;
let png: Buffer;
beforeAll(async () => {
  jpeg = await sharp(pixels, { raw }).jpeg().toBuffer();
  progressive = await sharp(pixels, { raw }).jpeg({ progressive: true }).toBuffer();
  profiled = await sharp(pixels, { raw }).withIccProfile('p3').jpeg().toBuffer();
  png = await sharp(pixels, { raw }).png().toBuffer();
});

const segment = (marker: number, body: Uint8Array): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};
const insert = (bytes: Buffer, at: number, ...parts: Uint8Array[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]);
const chunk = (type: string, body: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), body, Buffer.alloc(4)]);
};
/** An EXIF block that holds nothing but an orientation. */
const exif = (orientation: number): Buffer =>
  Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);
const body = fc.uint8Array({ maxLength: 300 });
/** APP0 to APP15 and COM; what the two that count as picture say is kept out by its first byte. */
const metadata = fc
  .tuple(fc.integer({ min: 0xe0, max: 0xf0 }), body)
  .map(([marker, bytes]) => segment(marker === 0xf0 ? 0xfe : marker, Uint8Array.of(0, ...bytes)));

describe('what of a file is its picture', () => {
  it('does not change with metadata added to a JPEG', () => {
    fc.assert(
      fc.property(
        fc.array(metadata, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('plain', 'many scans'),
        (parts, kind) => {
          const bytes = kind === 'plain' ? jpeg : progressive;
          const edited = insert(bytes, 2, ...parts);
          expect(hashImage(edited, 'jpeg')).toBe(hashImage(bytes, 'jpeg'));
          expect(hashFile(edited)).not.toBe(hashFile(bytes));
        },
      ),
    );
  });

  it('does not change with what follows the end of a JPEG', () => {
    fc.assert(
      fc.property(body, (tail) => {
        expect(hashImage(Buffer.concat([jpeg, tail]), 'jpeg')).toBe(hashImage(jpeg, 'jpeg'));
      }),
    );
  });

  it('changes with any byte of the picture', () => {
    fc.assert(
      fc.property(fc.constantFrom('jpeg', 'png'), fc.nat(), fc.integer({ min: 1, max: 255 }), (format, pick, flip) => {
        const bytes = format === 'jpeg' ? jpeg : png;
        const places = pictureContent(bytes, format).spans.flatMap(([from, to]) =>
          Array.from({ length: to - from }, (_, i) => from + i),
        );
        const edited = Buffer.from(bytes);
        const at = places[pick % places.length]!;
        edited[at] = edited[at]! ^ flip;
        expect(hashImage(edited, format)).not.toBe(hashImage(bytes, format));
      }),
      { numRuns: 300 },
    );
  });

  it('changes with the pixels, the colour profile and the orientation', async () => {
    const brighter = await sharp(
      pixels.map((v) => Math.min(255, v + 9)),
      { raw },
    )
      .jpeg()
      .toBuffer();
    const turned = insert(jpeg, 2, segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(6)])));
    const adobe = insert(jpeg, 2, segment(0xee, Buffer.from('Adobe\0d\0\0\0\0\0')));
    const turnedPng = insert(png, 33, chunk('eXIf', exif(6)));
    const gammaPng = insert(png, 33, chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])));
    const jpegs = [jpeg, brighter, profiled, turned, adobe].map((bytes) => hashImage(bytes, 'jpeg'));
    const pngs = [png, turnedPng, gammaPng].map((bytes) => hashImage(bytes, 'png'));
    expect(new Set(jpegs).size).toBe(jpegs.length);
    expect(new Set(pngs).size).toBe(pngs.length);
    expect(pictureContent(turned, 'jpeg').orientation).toBe(6);
    expect(pictureContent(turnedPng, 'png').orientation).toBe(6);
  });

  it('does not change with text, time and unknown chunks added to a PNG', () => {
    fc.assert(
      fc.property(fc.constantFrom('tEXt', 'iTXt', 'tIME', 'zTXt', 'pHYs', 'xyZw'), body, (type, bytes) => {
        expect(hashImage(insert(png, 33, chunk(type, bytes)), 'png')).toBe(hashImage(png, 'png'));
      }),
    );
  });

  it('is found in any bytes at all: spans in order, within the file, none empty', () => {
    const cut = fc.tuple(fc.constantFrom('jpeg', 'png', 'progressive'), fc.double({ min: 0, max: 1, noNaN: true }));
    const broken = fc
      .tuple(cut, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 12 }))
      .map(([[kind, part], edits]) => {
        const whole = kind === 'jpeg' ? jpeg : kind === 'png' ? png : progressive;
        const bytes = Buffer.from(whole.subarray(0, Math.max(3, Math.floor(whole.length * part))));
        for (const [at, value] of edits) bytes[at % bytes.length] = value;
        return { bytes, format: kind === 'png' ? 'png' : 'jpeg' };
      });
    const random = fc.record({
      bytes: fc.uint8Array({ minLength: 3, maxLength: 600 }),
      format: fc.constantFrom('jpeg', 'png'),
    });
    fc.assert(
      fc.property(fc.oneof(broken, random), ({ bytes, format }) => {
        const { spans, orientation } = pictureContent(bytes, format);
        let last = 0;
        for (const [start, end] of spans) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(bytes.length);
        expect(orientation).toBeGreaterThanOrEqual(1);
        expect(orientation).toBeLessThanOrEqual(8);
      }),
      { numRuns: 1000 },
    );
  });
});
