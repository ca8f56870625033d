/** Puts a pack's adapter together with what it needs from outside: its files, and a tagger for the concept pack. */
import { readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import winkModel from 'wink-eng-lite-web-model';
import winkNLP from 'wink-nlp';
import { createConceptAdapter, winkTagger } from '../../models/adapters/concept/index.ts';
import { adapterFactories } from '../../models/adapters/registry.ts';
import type { Pack } from '../contract/pack.ts';
import type { Adapter, AdapterFactory, ReadPackFile } from '../contract/seam.ts';

const factories: Readonly<Record<string, AdapterFactory>> = {
  ...adapterFactories,
  concept: (read) => createConceptAdapter(read, winkTagger(winkNLP(winkModel))),
};

const reader =
  (dir: string): ReadPackFile =>
  (path) => {
    const file = resolve(dir, path);
    if (!file.startsWith(resolve(dir) + sep)) throw new Error(`${path} is outside the pack`);
    return readFileSync(file);
  };

/** @throws Error where no adapter has the manifest's name, or a file of the pack is missing or malformed. */
export const openAdapter = ({ dir, manifest }: Pack): Adapter => {
  const factory = factories[manifest.adapter];
  if (!factory) throw new Error(`there is no adapter "${manifest.adapter}"`);
  return factory(reader(dir));
};
