/** Puts a pack's adapter together with its files. */
import { readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Pack } from '../contract/pack.ts';
import type { Adapter, ReadPackFile } from '../contract/seam.ts';
import { lazyTagger } from '../statements/tagger.ts';
import { adapterNamed } from './adapters.ts';
import { lazyTokenizer } from './tokenizer.ts';

const reader =
  (dir: string): ReadPackFile =>
  (path) => {
    const file = resolve(dir, path);
    if (!file.startsWith(resolve(dir) + sep)) throw new Error(`${path} is outside the pack`);
    return readFileSync(file);
  };

/** @throws Error where no adapter has the manifest's name, or a file of the pack is missing or malformed. */
export const openAdapter = async ({ dir, manifest }: Pack, inputSize: number): Promise<Adapter> => {
  const factory = await adapterNamed(manifest.adapter);
  const read = reader(dir);
  return factory({ read, manifest, inputSize, tagger: lazyTagger(), tokenizer: lazyTokenizer(read) });
};
