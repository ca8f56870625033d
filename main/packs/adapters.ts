/**
 * Finds an adapter by the name that a manifest gives. Beside those of the product there may be others, for tests and
 * benchmarks: of the module that the environment variable VOUCH_ADAPTERS names. In a packaged app it does nothing.
 */
import { pathToFileURL } from 'node:url';
import { adapterFactories } from '../../models/adapters/registry.ts';
import type { AdapterFactory } from '../contract/seam.ts';
import { isPackaged } from '../hosts/faults.ts';

type Adapters = Readonly<Record<string, AdapterFactory>>;

const others = async (file = process.env.VOUCH_ADAPTERS): Promise<Adapters> => {
  if (!file || isPackaged(import.meta.url)) return {};
  const module: Readonly<{ adapters: Adapters }> = await import(/* @vite-ignore */ pathToFileURL(file).href);
  return module.adapters;
};

/** @throws Error where there is none of that name. */
export const adapterNamed = async (name: string): Promise<AdapterFactory> => {
  const factory = adapterFactories[name] ?? (await others())[name];
  if (!factory) throw new Error(`there is no adapter "${name}"`);
  return factory;
};
