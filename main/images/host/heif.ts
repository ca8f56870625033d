/** What a HEIF file says of itself before anything is decoded; ISO/IEC 23008-12 and 14496-12. */

/** Names people know, by HEIF item type. */
const codecs: Readonly<Record<string, string>> = {
  unci: 'uncompressed',
  j2k1: 'JPEG 2000',
  jpeg: 'JPEG',
  avc1: 'H.264',
  vvc1: 'H.266',
  mski: 'mask',
};
const readable = new Set(['hvc1', 'av01', 'grid', 'iden', 'iovl', 'Exif', 'mime', 'uri ']);
const headBytes = 256 * 1024;

/** The coding of the pictures, where the file has none that Vouch can decode; else null. */
export const unreadableCodec = (bytes: Uint8Array): string | null => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headBytes)).toString('latin1');
  // An item info entry: its mark, version and flags, the item's id (wider in version 3), protection, type.
  const types = [...head.matchAll(/infe/g)].map(({ index }) => {
    const from = index + (head.charCodeAt(index + 4) === 3 ? 14 : 12);
    return head.slice(from, from + 4);
  });
  if (types.includes('hvc1') || types.includes('av01')) return null;
  const other = types.find((type) => /^[ -~]{4}$/.test(type) && !readable.has(type));
  return other === undefined ? null : (codecs[other] ?? other.trim());
};

/**
 * An image sequence holds a still picture too where it names a still brand; the decoder looks at the first brand alone.
 * Answers the bytes to decode, copied only where they must change.
 */
export const asStill = (bytes: Uint8Array): Uint8Array => {
  const brand = Buffer.from(bytes.buffer, bytes.byteOffset, 12).toString('latin1', 4);
  if (brand !== 'ftypavis') return bytes;
  const still = Uint8Array.from(bytes);
  still.set(Buffer.from('avif', 'latin1'), 8);
  return still;
};
