/** EXIF orientation: read from a TIFF header, and what it asks of the pixels. */

const tag = 0x0112;

/** Orientation (1 to 8) in the first directory of an EXIF block, in whatever order its tags stand; 1 where there is none. */
export const exifOrientation = (tiff: Uint8Array): number => {
  if (tiff.length < 14) return 1;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const little = view.getUint16(0) === 0x4949;
  if (!little && view.getUint16(0) !== 0x4d4d) return 1;
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.length) return 1;
  const entries = view.getUint16(directory, little);
  for (let i = 0, at = directory + 2; i < entries && at + 12 <= tiff.length; i++, at += 12) {
    if (view.getUint16(at, little) !== tag) continue;
    const type = view.getUint16(at + 2, little);
    const value = type === 4 ? view.getUint32(at + 8, little) : view.getUint16(at + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
};

export type Turn = Readonly<{ angle: 0 | 90 | 180 | 270; mirror: boolean }>;

/** What makes a photo upright: mirror left to right first, then turn clockwise. */
const turns: readonly Turn[] = [
  { angle: 0, mirror: false },
  { angle: 0, mirror: true },
  { angle: 180, mirror: false },
  { angle: 180, mirror: true },
  { angle: 270, mirror: true },
  { angle: 90, mirror: false },
  { angle: 90, mirror: true },
  { angle: 270, mirror: false },
];
export const turnOf = (orientation: number): Turn => turns[orientation - 1] ?? turns[0]!;

export const isSideways = ({ angle }: Turn): boolean => angle === 90 || angle === 270;
