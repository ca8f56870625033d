/** Puts a pack's adapter together with its files. */
import { readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { adapterFactories } from '../../models/adapters/registry.ts';
import type { Pack } from '../contract/pack.ts';
import type { Adapter, ReadPackFile, Tagger } from '../contract/seam.ts';

const reader =
  (dir: string): ReadPackFile =>
  (path) => {
    const file = resolve(dir, path);
    if (!file.startsWith(resolve(dir) + sep)) throw new Error(`${path} is outside the pack`);
    return readFileSync(file);
  };

/** @throws Error where no adapter has the manifest's name, or a file of the pack is missing or malformed. */
export const openAdapter = ({ dir, manifest }: Pack, tag: Tagger, inputSize: number): Adapter => {
  const factory = adapterFactories[manifest.adapter];
  if (!factory) throw new Error(`there is no adapter "${manifest.adapter}"`);
  return factory(reader(dir), tag, inputSize);
};
