/** Where the window was, kept in the home; a place that no screen shows any more is forgotten. */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

export type Rectangle = Readonly<{ x: number; y: number; width: number; height: number }>;

const schema = z.object({
  x: z.int().nullable(),
  y: z.int().nullable(),
  width: z.int().min(1),
  height: z.int().min(1),
  maximized: z.boolean(),
});
export type WindowState = z.infer<typeof schema>;

export const minimum = { width: 960, height: 600 } as const;
export const firstState: WindowState = { x: null, y: null, width: 1440, height: 900, maximized: false };

const overlap = (a: Rectangle, b: Rectangle): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

/** Keeps the size between the minimum and the largest screen, and the place only if a tenth of it can be seen. */
export const fitState = (state: WindowState, screens: readonly Rectangle[]): WindowState => {
  const largest = {
    width: Math.max(...screens.map((s) => s.width)),
    height: Math.max(...screens.map((s) => s.height)),
  };
  const width = Math.max(minimum.width, Math.min(state.width, largest.width));
  const height = Math.max(minimum.height, Math.min(state.height, largest.height));
  if (state.x === null || state.y === null) return { ...state, width, height };
  const place = { x: state.x, y: state.y, width, height };
  const seen = screens.some((screen) => overlap(place, screen) >= 0.1 * width * height);
  return { ...place, ...(seen ? {} : { x: null, y: null }), maximized: state.maximized };
};

export const readWindowState = (file: string): WindowState => {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return firstState;
  }
};

export const writeWindowState = (file: string, state: WindowState): void =>
  writeFileSync(file, `${JSON.stringify(state)}\n`);
