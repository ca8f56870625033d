/** Plain pixel arithmetic on uint8 RGB, rows top to bottom. */
import { isSideways, type Turn } from './orientation.ts';

/** Pixels of one picture, HWC, three channels, sRGB. */
export type Pixels = Readonly<{ data: Uint8Array; width: number; height: number }>;

/** Makes a picture upright. */
export const turned = ({ data, width, height }: Pixels, { angle, mirror }: Turn): Pixels => {
  if (angle === 0 && !mirror) return { data, width, height };
  const swaps = isSideways({ angle, mirror });
  const out = new Uint8Array(data.length);
  const outWidth = swaps ? height : width;
  // Where the first source pixel goes, and how far a step right and a step down in the source move in the result.
  const right = { 0: 1, 90: outWidth, 180: -1, 270: -outWidth }[angle];
  const down = { 0: outWidth, 90: -1, 180: -outWidth, 270: 1 }[angle];
  const first = { 0: 0, 90: outWidth - 1, 180: width * height - 1, 270: (width - 1) * outWidth }[angle];
  const step = mirror ? -right : right;
  const start = mirror ? first + right * (width - 1) : first;
  let from = 0;
  for (let y = 0; y < height; y++) {
    let to = (start + y * down) * 3;
    for (let x = 0; x < width; x++, to += step * 3, from += 3) {
      out[to] = data[from]!;
      out[to + 1] = data[from + 1]!;
      out[to + 2] = data[from + 2]!;
    }
  }
  return { data: out, width: outWidth, height: swaps ? width : height };
};

/** Rec. 601 luma, 0 to 255. */
export const greyOf = ({ data, width, height }: Pixels): Uint8Array => {
  const grey = new Uint8Array(width * height);
  for (let i = 0, from = 0; i < grey.length; i++, from += 3) {
    grey[i] = (data[from]! * 77 + data[from + 1]! * 150 + data[from + 2]! * 29 + 128) >> 8;
  }
  return grey;
};
