/** EXIF orientation: read from a TIFF header, and what it asks of the pixels. */
import { tiffDirectory } from './tiff.ts';

const tag = 0x0112;

/** Orientation (1 to 8) in the first directory of an EXIF block, in whatever order its tags stand; 1 where there is none. */
export const exifOrientation = (tiff: Uint8Array): number => {
  const value = tiffDirectory(tiff)?.number(tag) ?? 1;
  return value >= 1 && value <= 8 ? value : 1;
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
