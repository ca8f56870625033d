import type { VouchApi } from '../../main/contract/api.ts';
import type { Result } from '../../main/contract/result.ts';
import { VouchFailure } from '../../main/failure.ts';

/** The core, as the preload script hands it to the page. */
export const { vouch } = globalThis as unknown as Readonly<{ vouch: VouchApi }>;

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: VouchFailure;
  }
}

/** The value of an answer; one that is none is thrown, so that queries and mutations see it. */
export const answerOf = async <T>(call: Promise<Result<T>>): Promise<T> => {
  const result = await call;
  if (result.ok) return result.value;
  throw new VouchFailure(result.error);
};
