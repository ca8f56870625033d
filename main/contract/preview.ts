/**
 * The addresses of a photo's pixels, and nothing else is ever served there: `photo://preview/<photoId>/<256|2048>`, and
 * past the larger preview `photo://tile/<photoId>/<level>/<column>/<row>`.
 */
export const previewScheme = 'photo';
export const previewSizes = [256, 2048] as const;
export type PreviewSize = (typeof previewSizes)[number];

export const previewUrl = (photoId: string, size: PreviewSize): string =>
  `${previewScheme}://preview/${photoId}/${size}`;

const uuid = '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})';
const pattern = new RegExp(`^photo://preview/${uuid}/(256|2048)$`);

/** null unless the address is exactly that of a preview. */
export const parsePreviewUrl = (url: string): Readonly<{ photoId: string; size: PreviewSize }> | null => {
  const match = pattern.exec(url);
  return match ? { photoId: match[1]!, size: Number(match[2]) as PreviewSize } : null;
};

/** A square of a photo; at level n the photo is shrunk to a 2^n-th, and its last column and row are narrower. */
export type Tile = Readonly<{ level: number; column: number; row: number }>;
export const tileSide = 512;

/** Width or height of a photo at a level. */
export const sideAt = (side: number, level: number): number => Math.max(1, Math.round(side / 2 ** level));

export const tileUrl = (photoId: string, { level, column, row }: Tile): string =>
  `${previewScheme}://tile/${photoId}/${level}/${column}/${row}`;

const tilePattern = new RegExp(`^photo://tile/${uuid}/(\\d)/(\\d{1,3})/(\\d{1,3})$`);

/** null unless the address is exactly that of a tile. */
export const parseTileUrl = (url: string): Readonly<{ photoId: string; tile: Tile }> | null => {
  const match = tilePattern.exec(url);
  if (!match) return null;
  const [level, column, row] = match.slice(2).map(Number) as [number, number, number];
  return { photoId: match[1]!, tile: { level, column, row } };
};
