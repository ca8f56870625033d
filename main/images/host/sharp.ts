/**
 * The sharp instance of an image host. Native, save inside Electron on Linux: there Electron's GLib gets in the way of
 * the one inside sharp (lovell/sharp#4522), so the WebAssembly build takes the native one's place before sharp loads.
 */
import { createRequire } from 'node:module';
import type Sharp from 'sharp';

export type SharpModule = typeof Sharp;
export type Decoder = 'native' | 'wasm';

const load = createRequire(import.meta.url);

const seedWasm = (): void => {
  const wasm = load('@img/sharp-wasm32/sharp.node');
  const slot = load.resolve(`@img/sharp-${process.platform}-${process.arch}/sharp.node`);
  load.cache[slot] = Object.assign(Object.create(null), { id: slot, filename: slot, loaded: true, exports: wasm });
};

/** Loads sharp once for this process; `decoder` may be forced to measure or test the other build. */
export const loadSharp = (
  decoder: Decoder = process.versions.electron && process.platform === 'linux' ? 'wasm' : 'native',
): Readonly<{ sharp: SharpModule; decoder: Decoder }> => {
  if (decoder === 'wasm') seedWasm();
  const sharp: SharpModule = load('sharp');
  // One photo, one thread: photos are the unit of parallelism. No cache: it would hold files open (lovell/sharp#346).
  sharp.concurrency(1);
  sharp.cache(false);
  return { sharp, decoder };
};
