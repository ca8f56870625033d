/** Every adapter by the name that a pack's manifest calls it. */
import type { AdapterFactory } from '../../main/contract/seam.ts';
import { classifierOnly } from './classifier-only.ts';
import { createConceptAdapter } from './concept/index.ts';
import { fixtureJoint, fixtureSeparable } from './fixture.ts';

export const adapterFactories: Readonly<Record<string, AdapterFactory>> = {
  'classifier-only': classifierOnly,
  concept: createConceptAdapter,
  'fixture-joint': fixtureJoint,
  'fixture-separable': fixtureSeparable,
};
