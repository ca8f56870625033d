/** Run-length coded BMP (BI_RLE8 and BI_RLE4 of Windows GDI): palette indexes, bottom row first. */

/** `whole` is false where the data end before their end mark; what they did not reach is index 0. */
export const unpackRuns = (
  coded: Uint8Array,
  width: number,
  height: number,
  bits: number,
): Readonly<{ indexes: Uint8Array; whole: boolean }> => {
  const indexes = new Uint8Array(width * height);
  let x = 0;
  let y = 0;
  const put = (index: number) => {
    if (x < width && y < height) indexes[y * width + x] = index;
    x += 1;
  };
  /** The nth index of a run whose bytes begin at `from`: two to a byte when four bits wide. */
  const nth = (from: number, n: number): number => {
    if (bits === 8) return coded[from + n]!;
    const byte = coded[from + (n >> 1)]!;
    return n % 2 === 0 ? byte >> 4 : byte & 15;
  };
  let at = 0;
  while (at + 1 < coded.length) {
    const count = coded[at]!;
    const value = coded[at + 1]!;
    at += 2;
    if (count > 0) {
      for (let n = 0; n < count; n++) put(bits === 8 ? value : n % 2 === 0 ? value >> 4 : value & 15);
    } else if (value === 0) {
      x = 0;
      y += 1;
    } else if (value === 1) {
      return { indexes, whole: true };
    } else if (value === 2) {
      if (at + 1 >= coded.length) break;
      x += coded[at]!;
      y += coded[at + 1]!;
      at += 2;
    } else {
      const bytes = bits === 8 ? value : (value + 1) >> 1;
      if (at + bytes > coded.length) break;
      for (let n = 0; n < value; n++) put(nth(at, n));
      at += bytes + (bytes % 2);
    }
  }
  return { indexes, whole: false };
};
