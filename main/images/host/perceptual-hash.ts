/** A hash that stays near when a photo is shrunk, recompressed or brightened: blockhash (Yang, Gu and Niu, 2006). */
import { createRequire } from 'node:module';
import type { SharpModule } from './sharp.ts';

type Blockhash = Readonly<{
  bmvbhash: (image: Readonly<{ data: Uint8Array; width: number; height: number }>, bits: number) => string;
}>;

const load = createRequire(import.meta.url);
const { bmvbhash } = load('blockhash-core') as Blockhash;

/** 16 x 16 blocks of 4 x 4 pixels: whole blocks, which the library adds up without weighing pixels. */
const blocks = 16;
const side = blocks * 4;

/** 256 bits as hex. `grey`: of the upright photo, of any size. */
export const perceptualHashOf = async (
  sharp: SharpModule,
  grey: Uint8Array,
  width: number,
  height: number,
): Promise<string> => {
  const small = await sharp(grey, { raw: { width, height, channels: 1 } })
    .resize(side, side, { fit: 'fill', kernel: 'linear' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const data = new Uint8Array(side * side * 4);
  for (let i = 0; i < small.length; i++) data.fill(small[i]!, i * 4, i * 4 + 4);
  // The library takes what has no opacity for white.
  for (let i = 3; i < data.length; i += 4) data[i] = 255;
  return bmvbhash({ data, width: side, height: side }, blocks);
};
