/** Carries an error that a person can do something about through code that may throw. */
import { type VouchError, vouchError } from './contract/error.ts';
import { StoreFailure } from './store/errors.ts';

export class VouchFailure extends Error {
  override readonly name = 'VouchFailure';
  readonly error: VouchError;
  constructor(error: VouchError) {
    super(`${error.code} ${JSON.stringify(error.params)}`);
    this.error = error;
  }
}

/** What a thrown value means to a person; a defect of ours is `unexpected`. */
export const errorOf = (thrown: unknown): VouchError => {
  if (thrown instanceof VouchFailure) return thrown.error;
  if (thrown instanceof StoreFailure) return thrown.error as VouchError;
  // What signal.throwIfAborted() throws: nothing but Ctrl+C and a cancelled call abort.
  if (thrown instanceof Error && thrown.name === 'AbortError') return vouchError('cancelled', {}, true);
  return vouchError('unexpected', { detail: thrown instanceof Error ? thrown.message : String(thrown) });
};
