import type { VouchApi } from '../../main/contract/api.ts';
import type { ApiError, Result } from '../../main/contract/result.ts';

/** The core, as the preload script hands it to the page. */
export const { vouch } = globalThis as unknown as Readonly<{ vouch: VouchApi }>;

/** An error that the core answered with, thrown so that queries and mutations see it. */
export class ApiFailure extends Error {
  readonly error: ApiError;
  constructor(error: ApiError) {
    super(error.code);
    this.error = error;
  }
}

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiFailure;
  }
}

export const answerOf = async <T>(call: Promise<Result<T>>): Promise<T> => {
  const result = await call;
  if (result.ok) return result.value;
  throw new ApiFailure(result.error);
};
