/** The adapters that benchmarks judge with besides the product's: what VOUCH_ADAPTERS takes. */
import type { AdapterFactory } from '../../main/contract/seam.ts';
import { adapters as fixtures } from '../../test/fixtures/adapters.ts';
import { classifierOnly } from './classifier-only.ts';

export const adapters: Readonly<Record<string, AdapterFactory>> = { ...fixtures, 'classifier-only': classifierOnly };
