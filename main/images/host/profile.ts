/** Gives decoded pixels the colour profile that their file carries: sharp has no way to name one for raw pixels. */
import { crc32, deflateSync } from 'node:zlib';
import type { Sharp } from 'sharp';

/** Signature and image header of a PNG, after which a profile may stand; PNG, third edition, 11.3.2.3. */
const headBytes = 33;

const chunk = (type: string, body: Uint8Array): Buffer => {
  const out = Buffer.alloc(body.length + 12);
  out.writeUInt32BE(body.length, 0);
  out.write(type, 4, 'latin1');
  out.set(body, 8);
  out.writeUInt32BE(crc32(out.subarray(4, body.length + 8)), body.length + 8);
  return out;
};

/** The pixels as an uncompressed PNG that carries the profile: opened by sharp, it converts to sRGB like any photo. */
export const withProfile = async (pixels: Sharp, profile: Uint8Array): Promise<Buffer> => {
  const png = await pixels.png({ compressionLevel: 0 }).toBuffer();
  const body = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile, { level: 1 })]);
  return Buffer.concat([png.subarray(0, headBytes), chunk('iCCP', body), png.subarray(headBytes)]);
};
