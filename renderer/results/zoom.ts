/** Where a photo lies on its canvas. Sizes in CSS pixels; scale 1 shows one photo pixel as one. */
export type Size = Readonly<{ width: number; height: number }>;
export type Place = Readonly<{ scale: number; x: number; y: number }>;

export const largestScale = 8;
const margin = 24;

export const fitScale = (photo: Size, canvas: Size): number =>
  Math.min((canvas.width - 2 * margin) / photo.width, (canvas.height - 2 * margin) / photo.height);

/** Centred on an axis with room to spare; else never leaving a gap. */
const held = (offset: number, photo: number, canvas: number): number =>
  photo <= canvas ? (canvas - photo) / 2 : Math.min(0, Math.max(canvas - photo, offset));

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
