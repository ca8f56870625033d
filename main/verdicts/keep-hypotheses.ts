/** Keeps what graphs made of statements, for packs whose statements go through any. */
import type { NewHypothesis, Store } from '../store/types.ts';
import type { Rescorer } from './rescore.ts';

/** For `withStatements`; undefined where the store is only read. */
export const keepHypotheses = (
  store: Store,
  { pack }: Rescorer,
): ((made: readonly NewHypothesis[]) => Promise<void>) | undefined => {
  const { sha256: packSha256, adapterVersion } = pack;
  return store.mode === 'write' ? (made) => store.hypotheses.keep({ packSha256, adapterVersion }, made) : undefined;
};
