/** HEIC through libheif's WebAssembly build: sharp's own libvips reads its header but holds no HEVC decoder. */
import { createRequire } from 'node:module';
import { checkPixels } from './failure.ts';

type HeicImage = Readonly<{
  width: number;
  height: number;
  decode: () => Promise<Readonly<{ data: Uint8ClampedArray; width: number; height: number }>>;
}>;
type HeicDecode = Readonly<{
  all: (input: Readonly<{ buffer: Uint8Array }>) => Promise<readonly HeicImage[] & Readonly<{ dispose: () => void }>>;
}>;

const load = createRequire(import.meta.url);
/** Loaded at the first HEIC photo: most folders hold none, and the module takes memory. */
const heicDecode = (): HeicDecode => load('heic-decode') as HeicDecode;

export type HeicPixels = Readonly<{ data: Uint8ClampedArray; width: number; height: number; images: number }>;

/** RGBA of the primary picture, which libheif has already turned upright. Blocks this process while it decodes. */
export const decodeHeic = async (bytes: Uint8Array, maxPixels: number): Promise<HeicPixels> => {
  const images = await heicDecode().all({ buffer: bytes });
  try {
    const first = images[0]!;
    checkPixels(first.width, first.height, maxPixels);
    return { ...(await first.decode()), images: images.length };
  } finally {
    images.dispose();
  }
};
