/** Whether the end of a file is still to come: a copy may take up its whole size first, and fill it later. */
import { open } from 'node:fs/promises';
import type { FileStat } from '../../store/types.ts';

/** No photo format ends in so many zero bytes, but for bitmaps and raw data with a black edge. */
const endBytes = 256;

export const endsInNothing = async ({ path, bytes }: FileStat): Promise<boolean> => {
  if (bytes < endBytes) return false;
  try {
    const file = await open(path);
    try {
      const { buffer } = await file.read(Buffer.alloc(endBytes, 1), 0, endBytes, bytes - endBytes);
      return buffer.every((byte) => byte === 0);
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
};
