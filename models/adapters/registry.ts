/** Every adapter by the name that a pack's manifest calls it. */
import type { AdapterFactory } from '../../main/contract/seam.ts';
import { createConceptAdapter } from './concept/index.ts';

export const adapterFactories: Readonly<Record<string, AdapterFactory>> = {
  concept: createConceptAdapter,
};
