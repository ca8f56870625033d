/**
 * Resampling of 8-bit RGB to the value as Pillow does it, so that a model sees what its training saw: each filter
 * widened when shrinking, first across and then down, in 22-bit fixed point, the first pass rounded to 8 bits. Slower
 * than sharp, which shrinks by whole steps first. Pure.
 */
import type { Resampling } from '../../contract/seam.ts';
import type { Pixels } from './pixels.ts';

type Size = Readonly<{ width: number; height: number }>;
/** Part of the resampled picture. */
export type Window = Size & Readonly<{ left: number; top: number }>;

type Filter = Readonly<{ support: number; weight: (distance: number) => number }>;

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI));

const filters: Readonly<Record<Exclude<Resampling, 'nearest'>, Filter>> = {
  linear: { support: 1, weight: (x) => Math.max(0, 1 - Math.abs(x)) },
  cubic: {
    support: 2,
    weight: (distance) => {
      const a = -0.5;
      const x = Math.abs(distance);
      if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
      return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
    },
  },
  lanczos3: { support: 3, weight: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
};

const bits = 22;

/** For each output place from `first` on, where its source places start, how many there are, and their weights. */
type Taps = Readonly<{ width: number; starts: Int32Array; counts: Int32Array; weights: Int32Array }>;

const tapsOf = (from: number, to: number, first: number, count: number, { support, weight }: Filter): Taps => {
  const scale = from / to;
  const widened = Math.max(scale, 1);
  const reach = support * widened;
  const width = Math.ceil(reach) * 2 + 1;
  const starts = new Int32Array(count);
  const counts = new Int32Array(count);
  const weights = new Int32Array(count * width);
  const plain = new Float64Array(width);
  const inverse = 1 / widened;
  for (let i = 0; i < count; i += 1) {
    const centre = (first + i + 0.5) * scale;
    const start = Math.max(0, Math.trunc(centre - reach + 0.5));
    const taps = Math.min(from, Math.trunc(centre + reach + 0.5)) - start;
    let sum = 0;
    for (let k = 0; k < taps; k += 1) {
      plain[k] = weight((k + start - centre + 0.5) * inverse);
      sum += plain[k]!;
    }
    for (let k = 0; k < taps; k += 1) {
      const share = (sum === 0 ? plain[k]! : plain[k]! / sum) * (1 << bits);
      weights[i * width + k] = Math.trunc(share < 0 ? share - 0.5 : share + 0.5);
    }
    starts[i] = start;
    counts[i] = taps;
  }
  return { width, starts, counts, weights };
};

const half = 1 << (bits - 1);
const clipped = (sum: number): number => Math.min(255, Math.max(0, sum >> bits));

/** Rows `top` to `top + rows` of the source, each resampled across. */
const across = ({ data, width }: Pixels, top: number, rows: number, taps: Taps): Uint8Array => {
  const places = taps.starts.length;
  const out = new Uint8Array(places * rows * 3);
  let at = 0;
  for (let y = 0; y < rows; y += 1) {
    const row = (top + y) * width * 3;
    for (let x = 0; x < places; x += 1) {
      let [red, green, blue] = [half, half, half];
      let source = row + taps.starts[x]! * 3;
      const end = x * taps.width + taps.counts[x]!;
      for (let k = x * taps.width; k < end; k += 1) {
        const weight = taps.weights[k]!;
        red += data[source]! * weight;
        green += data[source + 1]! * weight;
        blue += data[source + 2]! * weight;
        source += 3;
      }
      out[at] = clipped(red);
      out[at + 1] = clipped(green);
      out[at + 2] = clipped(blue);
      at += 3;
    }
  }
  return out;
};

/** `data` begins with row `top` of the picture that the taps are for. */
const down = (data: Uint8Array, width: number, top: number, taps: Taps): Uint8Array => {
  const stride = width * 3;
  const rows = taps.starts.length;
  const out = new Uint8Array(stride * rows);
  const sums = new Int32Array(stride);
  for (let y = 0; y < rows; y += 1) {
    sums.fill(half);
    for (let k = 0; k < taps.counts[y]!; k += 1) {
      const weight = taps.weights[y * taps.width + k]!;
      const row = (taps.starts[y]! + k - top) * stride;
      for (let i = 0; i < stride; i += 1) sums[i]! += data[row + i]! * weight;
    }
    for (let i = 0; i < stride; i += 1) out[y * stride + i] = clipped(sums[i]!);
  }
  return out;
};

/** Places in the source, added up from the first on as Pillow does, which tells where two are equally near. */
const nearestOf = (from: number, to: number, first: number, count: number): readonly number[] => {
  const step = from / to;
  const places: number[] = [];
  for (let i = 0, at = step * 0.5; i < first + count; i += 1, at += step) if (i >= first) places.push(Math.trunc(at));
  return places;
};

const nearest = ({ data, width, height }: Pixels, to: Size, window: Window): Uint8Array => {
  const columns = nearestOf(width, to.width, window.left, window.width);
  const out = new Uint8Array(window.width * window.height * 3);
  let at = 0;
  for (const row of nearestOf(height, to.height, window.top, window.height)) {
    for (const column of columns) {
      const source = (row * width + column) * 3;
      out[at] = data[source]!;
      out[at + 1] = data[source + 1]!;
      out[at + 2] = data[source + 2]!;
      at += 3;
    }
  }
  return out;
};

/** The window of the picture at another size. A side that keeps its size is not resampled. */
export const resample = (pixels: Pixels, to: Size, window: Window, kernel: Resampling): Uint8Array => {
  if (kernel === 'nearest') return nearest(pixels, to, window);
  const filter = filters[kernel];
  const vertical = tapsOf(pixels.height, to.height, window.top, window.height, filter);
  const horizontal = tapsOf(pixels.width, to.width, window.left, window.width, filter);
  const top = vertical.starts[0]!;
  const last = window.height - 1;
  const wide = across(pixels, top, vertical.starts[last]! + vertical.counts[last]! - top, horizontal);
  return down(wide, window.width, top, vertical);
};
