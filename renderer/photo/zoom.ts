import { previewSizes, sideAt, type Tile, tileSide } from '../../main/contract/preview.ts';

/** Where a photo lies on its canvas. Sizes in CSS pixels; scale 1 shows one photo pixel as one. */
export type Size = Readonly<{ width: number; height: number }>;
export type Place = Readonly<{ scale: number; x: number; y: number }>;

export const largestScale = 8;
const margin = 24;

const fitScale = (photo: Size, canvas: Size): number =>
  Math.min((canvas.width - 2 * margin) / photo.width, (canvas.height - 2 * margin) / photo.height);

/** Centred on an axis with room to spare, on whole pixels; else never leaving a gap. */
const held = (offset: number, photo: number, canvas: number): number =>
  photo <= canvas ? Math.round((canvas - photo) / 2) : Math.min(0, Math.max(canvas - photo, offset));

const placed = (place: Place, photo: Size, canvas: Size): Place => ({
  scale: place.scale,
  x: held(place.x, photo.width * place.scale, canvas.width),
  y: held(place.y, photo.height * place.scale, canvas.height),
});

/** The whole photo in sight, as large as the canvas lets it be. */
export const fitted = (photo: Size, canvas: Size): Place =>
  placed({ scale: Math.max(0.001, fitScale(photo, canvas)), x: 0, y: 0 }, photo, canvas);

/** Another scale with the point under (x, y) staying where it is. */
export const zoomedAt = (place: Place, scale: number, x: number, y: number, photo: Size, canvas: Size): Place => {
  const least = Math.min(1, fitScale(photo, canvas));
  const next = Math.min(largestScale, Math.max(least, scale));
  const ratio = next / place.scale;
  return placed({ scale: next, x: x - (x - place.x) * ratio, y: y - (y - place.y) * ratio }, photo, canvas);
};

export const panned = (place: Place, dx: number, dy: number, photo: Size, canvas: Size): Place =>
  placed({ ...place, x: place.x + dx, y: place.y + dy }, photo, canvas);

/** A tile, and where it lies on the photo as drawn. */
export type PlacedTile = Readonly<{ tile: Tile; left: number; top: number; width: number; height: number }>;

const deepest = 9;

/** The tiles in sight, where the preview has too few pixels for this scale. `density`: device pixels to a CSS pixel. */
export const tilesInSight = (place: Place, photo: Size, canvas: Size, density: number): readonly PlacedTile[] => {
  const shown = place.scale * density;
  const longest = Math.max(photo.width, photo.height);
  if (longest <= previewSizes[1] || shown * longest <= previewSizes[1] * 1.01) return [];
  const level = Math.min(deepest, Math.max(0, Math.floor(Math.log2(1 / shown))));
  const [width, height] = [sideAt(photo.width, level), sideAt(photo.height, level)];
  const across = (photo.width * place.scale) / width;
  const down = (photo.height * place.scale) / height;
  const range = (offset: number, step: number, side: number, seen: number) => {
    const from = Math.max(0, Math.floor(-offset / step / tileSide));
    const to = Math.min(Math.ceil(side / tileSide), Math.ceil((seen - offset) / step / tileSide));
    return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  };
  return range(place.y, down, height, canvas.height).flatMap((row) =>
    range(place.x, across, width, canvas.width).map((column) => ({
      tile: { level, column, row },
      left: column * tileSide * across,
      top: row * tileSide * down,
      width: Math.min(tileSide, width - column * tileSide) * across,
      height: Math.min(tileSide, height - row * tileSide) * down,
    })),
  );
};
